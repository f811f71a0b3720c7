/*
 * Preloaded into a redis-server, sets its wall clock by the number in the file HOLDFAST_CLOCK. An even number is twice the
 * microseconds by which the clock is ahead. An odd number stops it at half that number of microseconds since 1970.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *number;

static long long setting(void) {
  if (!number) {
    /* No library call that allocates: the allocator reads the time while it starts. */
    const char *path = getenv("HOLDFAST_CLOCK");
    int file = path ? (int) syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) : -1;
    if (file < 0) return 0;
    void *page = mmap(NULL, sizeof(long long), PROT_READ, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (page == MAP_FAILED) return 0;
    number = page;
  }
  return *number;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int) syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    long long set = setting();
    long long micros = set >> 1;
    if (set & 1) now->tv_sec = now->tv_nsec = 0;
    long long nanos = now->tv_nsec + (micros % 1000000) * 1000;
    now->tv_sec += micros / 1000000 + nanos / 1000000000;
    now->tv_nsec = nanos % 1000000000;
    if (now->tv_nsec < 0) {
      now->tv_nsec += 1000000000;
      now->tv_sec -= 1;
    }
  }
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec precise;
  (void) zone;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
