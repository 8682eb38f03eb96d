/* cost CPU CPU
 * What decides speed on this machine at this moment: a system call (getppid) on the first CPU, and a cache line's way
 * from one CPU to the other and back; the best of several short trials each, in nanoseconds. */
#include "common.h"
#include <pthread.h>
#include <sched.h>

enum { TRIALS = 9, CALLS = 20000, TURNS = 2000 };

static _Alignas(128) volatile uint32_t ping;
static _Alignas(128) volatile uint32_t pong;
static int other;

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0)
        fail("pin");
}

static void *answer(void *unused)
{
    (void)unused;
    pin(other);
    for (uint32_t i = 1;; i++) {
        while (ping != i && ping != UINT32_MAX)
            __builtin_ia32_pause();
        if (ping == UINT32_MAX)
            return 0;
        pong = i;
    }
}

static double system_call(void)
{
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < CALLS; i++)
        syscall(SYS_getppid);
    return (now(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9 / CALLS;
}

static double round_trip(uint32_t *turn)
{
    double start = now(CLOCK_MONOTONIC);
    for (int i = 0; i < TURNS; i++) {
        ping = *turn;
        while (pong != *turn)
            __builtin_ia32_pause();
        (*turn)++;
    }
    return (now(CLOCK_MONOTONIC) - start) * 1e9 / TURNS;
}

int main(int argc, char **argv)
{
    double call = 1e9, trip = 1e9;
    uint32_t turn = 1;
    pthread_t thread;
    if (argc != 3) {
        fprintf(stderr, "usage: cost CPU CPU\n");
        return 2;
    }
    pin(atoi(argv[1]));
    other = atoi(argv[2]);
    for (int i = 0; i < TRIALS; i++) {
        double t = system_call();
        call = t < call ? t : call;
    }
    if (atoi(argv[1]) == other) {
        trip = 0;
    } else {
        pthread_create(&thread, 0, answer, 0);
        for (int i = 0; i < TRIALS; i++) {
            double t = round_trip(&turn);
            trip = t < trip ? t : trip;
        }
        ping = UINT32_MAX;
        pthread_join(thread, 0);
    }
    printf("{\"systemCallNs\":%.1f,\"coreToCoreNs\":%.1f}\n", call, trip);
    return 0;
}
