/* Preloaded into a redis-server, makes its disk stall while the number in the file HOLDFAST_DISK is not 0. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char *path = getenv("HOLDFAST_DISK");
  int file = path ? open(path, O_RDONLY) : -1;
  if (file < 0) return;
  volatile long long *stalled = mmap(NULL, sizeof(long long), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (stalled == MAP_FAILED) return;
  struct timespec pause = {0, 10000000};
  while (*stalled) nanosleep(&pause, NULL);
  munmap((void *) stalled, sizeof(long long));
}

int fsync(int file) {
  wait_for_disk();
  return (int) syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  wait_for_disk();
  return (int) syscall(SYS_fdatasync, file);
}
