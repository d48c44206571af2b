// SPDX-License-Identifier: Apache-2.0
// The floating-point environment around computation. Another library of the process may have changed the rounding mode or flush
// subnormals; the core needs round to nearest with subnormals kept, and gives the caller's environment back untouched, flags
// included. Compilers move arithmetic across these calls: put the arithmetic in a function that is not inlined.
#ifndef NC_ENVIRONMENT_H
#define NC_ENVIRONMENT_H

#if defined(__x86_64__)
#include <xmmintrin.h>

typedef unsigned int nc_environment;
#define NC_MXCSR_DEFAULT 0x1f80u // exceptions masked, round to nearest, FTZ and DAZ clear

static inline nc_environment nc_environment_enter(void)
{
    nc_environment saved = _mm_getcsr();
    _mm_setcsr(NC_MXCSR_DEFAULT);
    return saved;
}
static inline void nc_environment_leave(nc_environment saved)
{
    _mm_setcsr(saved);
}

#elif defined(__aarch64__)
#include <stdint.h>

typedef struct nc_environment {
    uint64_t control, status;
} nc_environment;

static inline nc_environment nc_environment_enter(void)
{
    nc_environment saved;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(saved.control), "=r"(saved.status));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0)); // nearest, FZ clear, traps off
    return saved;
}
static inline void nc_environment_leave(nc_environment saved)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(saved.control), "r"(saved.status));
}

#else
#include <fenv.h>

typedef fenv_t nc_environment;

static inline nc_environment nc_environment_enter(void)
{
    nc_environment saved;
    (void)fegetenv(&saved);
    (void)fesetenv(FE_DFL_ENV);
    return saved;
}
static inline void nc_environment_leave(nc_environment saved)
{
    (void)fesetenv(&saved);
}
#endif

#endif
