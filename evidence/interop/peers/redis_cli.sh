#!/usr/bin/env bash
# A lock client that uses redis-cli with the commands of the Redis documentation. Reads requests such as "acquire KEY TTL" and
# replies "yes" or "no" to each.
declare -A held

while read -r action key ttl; do
  case "$action" in
    acquire)
      token="$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')"
      reply="$(redis-cli -u "$1" SET "$key" "$token" NX PX "$ttl")"
      [ "$reply" = OK ] && held[$key]="$token"
      ;;
    extend)
      reply="$(redis-cli -u "$1" EVAL \
        "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end" \
        1 "$key" "${held[$key]}" "$ttl")"
      ;;
    release)
      reply="$(redis-cli -u "$1" EVAL \
        "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end" \
        1 "$key" "${held[$key]}")"
      ;;
  esac
  case "$reply" in OK | 1) echo yes ;; *) echo no ;; esac
done
