// SPDX-License-Identifier: Apache-2.0
// The widest vectors with fma of the instruction set that this file is compiled for, for the current real type (real_*.h).
// CPU_V is the type, CPU_V_WIDTH its lanes. Without vector fma a vector is one element. Include once per real type.
#undef CPU_V
#undef CPU_V_WIDTH
#undef CPU_V_LOAD
#undef CPU_V_STORE
#undef CPU_V_ALL
#undef CPU_V_ADD
#undef CPU_V_FMA
#undef CPU_V_NAME

#if defined(__AVX512F__)
#include <immintrin.h>
#ifdef NC_REAL_IS_F32
#define CPU_V __m512
#define CPU_V_NAME(operation) _mm512_##operation##_ps
#else
#define CPU_V __m512d
#define CPU_V_NAME(operation) _mm512_##operation##_pd
#endif
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#ifdef NC_REAL_IS_F32
#define CPU_V __m256
#define CPU_V_NAME(operation) _mm256_##operation##_ps
#else
#define CPU_V __m256d
#define CPU_V_NAME(operation) _mm256_##operation##_pd
#endif
#endif

#ifdef CPU_V
#define CPU_V_WIDTH ((size_t)(sizeof(CPU_V) / sizeof(NC_REAL)))
#define CPU_V_LOAD(pointer) CPU_V_NAME(loadu)(pointer)
#define CPU_V_STORE(pointer, v) CPU_V_NAME(storeu)(pointer, v)
#define CPU_V_ALL(x) CPU_V_NAME(set1)(x)
#define CPU_V_ADD(a, b) CPU_V_NAME(add)(a, b)
#define CPU_V_FMA(a, b, c) CPU_V_NAME(fmadd)(a, b, c)
#else
#define CPU_V NC_REAL
#define CPU_V_WIDTH ((size_t)1)
#define CPU_V_LOAD(pointer) (*(pointer))
#define CPU_V_STORE(pointer, v) ((void)(*(pointer) = (v)))
#define CPU_V_ALL(x) (x)
#define CPU_V_ADD(a, b) ((a) + (b))
#define CPU_V_FMA(a, b, c) NC_FMA(a, b, c)
#endif
