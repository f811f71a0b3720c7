#!/usr/bin/env bash
# redis-cli and the commands that every handbook gives, told what to do by lines such as "acquire KEY TTL", and answering "yes" or
# "no" to each.
declare -A held

while read -r deed key ttl; do
  case "$deed" in
    acquire)
      token="$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')"
      answer="$(redis-cli -u "$1" SET "$key" "$token" NX PX "$ttl")"
      [ "$answer" = OK ] && held[$key]="$token"
      ;;
    extend)
      answer="$(redis-cli -u "$1" EVAL \
        "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end" \
        1 "$key" "${held[$key]}" "$ttl")"
      ;;
    release)
      answer="$(redis-cli -u "$1" EVAL \
        "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end" \
        1 "$key" "${held[$key]}")"
      ;;
  esac
  case "$answer" in OK | 1) echo yes ;; *) echo no ;; esac
done
