// SPDX-License-Identifier: Apache-2.0
// Coefficients of the solver's methods that no binary number equals: each rounded to nearest, once to float32 and once to float64,
// for the current real type. Body: include once per real type.
#undef NC_EITHER
#ifdef NC_REAL_IS_F32
#define NC_EITHER(single, twice) single
#else
#define NC_EITHER(single, twice) twice
#endif

#ifndef NC_SOLVER_COEFFICIENTS_H
#define NC_SOLVER_COEFFICIENTS_H

#define NC_THIRD NC_EITHER(NC_C32(0x1.555556p-2), NC_C64(0x1.5555555555555p-2))           // 1/3
#define NC_SIXTH NC_EITHER(NC_C32(0x1.555556p-3), NC_C64(0x1.5555555555555p-3))           // 1/6
#define NC_FIFTH NC_EITHER(NC_C32(0x1.99999ap-3), NC_C64(0x1.999999999999ap-3))           // 1/5
#define NC_TENTHS_3 NC_EITHER(NC_C32(0x1.333334p-2), NC_C64(0x1.3333333333333p-2))        // 3/10
#define NC_FIFTHS_4 NC_EITHER(NC_C32(0x1.99999ap-1), NC_C64(0x1.999999999999ap-1))        // 4/5
#define NC_NINTHS_8 NC_EITHER(NC_C32(0x1.c71c72p-1), NC_C64(0x1.c71c71c71c71cp-1))        // 8/9
#define NC_THIRDS_2 NC_EITHER(NC_C32(0x1.555556p-1), NC_C64(0x1.5555555555555p-1))        // 2/3
#define NC_DOPRI_31 NC_EITHER(NC_C32(0x1.333334p-4), NC_C64(0x1.3333333333333p-4))        // 3/40
#define NC_DOPRI_32 NC_EITHER(NC_C32(0x1.ccccccp-3), NC_C64(0x1.ccccccccccccdp-3))        // 9/40
#define NC_DOPRI_41 NC_EITHER(NC_C32(0x1.f49f4ap-1), NC_C64(0x1.f49f49f49f49fp-1))        // 44/45
#define NC_DOPRI_42 NC_EITHER(NC_C32(-0x1.dddddep+1), NC_C64(-0x1.ddddddddddddep+1))      // -56/15
#define NC_DOPRI_43 NC_EITHER(NC_C32(0x1.c71c72p+1), NC_C64(0x1.c71c71c71c71cp+1))        // 32/9
#define NC_DOPRI_51 NC_EITHER(NC_C32(0x1.79eecp+1), NC_C64(0x1.79eec0fc37181p+1))         // 19372/6561
#define NC_DOPRI_52 NC_EITHER(NC_C32(-0x1.7310bep+3), NC_C64(-0x1.7310bd29520e4p+3))      // -25360/2187
#define NC_DOPRI_53 NC_EITHER(NC_C32(0x1.3a5524p+3), NC_C64(0x1.3a552363c529p+3))         // 64448/6561
#define NC_DOPRI_54 NC_EITHER(NC_C32(-0x1.29c9ecp-2), NC_C64(-0x1.29c9eba1e3345p-2))      // -212/729
#define NC_DOPRI_61 NC_EITHER(NC_C32(0x1.6c52cp+1), NC_C64(0x1.6c52bf5a814bp+1))          // 9017/3168
#define NC_DOPRI_62 NC_EITHER(NC_C32(-0x1.583e1p+3), NC_C64(-0x1.583e0f83e0f84p+3))       // -355/33
#define NC_DOPRI_63 NC_EITHER(NC_C32(0x1.1d016ap+3), NC_C64(0x1.1d016a3721e8bp+3))        // 46732/5247
#define NC_DOPRI_64 NC_EITHER(NC_C32(0x1.1d1746p-2), NC_C64(0x1.1d1745d1745d1p-2))        // 49/176
#define NC_DOPRI_65 NC_EITHER(NC_C32(-0x1.181898p-2), NC_C64(-0x1.1818970d9cc2fp-2))      // -5103/18656
#define NC_DOPRI_71 NC_EITHER(NC_C32(0x1.755556p-4), NC_C64(0x1.7555555555555p-4))        // 35/384
#define NC_DOPRI_73 NC_EITHER(NC_C32(0x1.cc049ap-2), NC_C64(0x1.cc0499a5605fbp-2))        // 500/1113
#define NC_DOPRI_74 NC_EITHER(NC_C32(0x1.4d5556p-1), NC_C64(0x1.4d55555555555p-1))        // 125/192
#define NC_DOPRI_75 NC_EITHER(NC_C32(-0x1.4a1cfcp-2), NC_C64(-0x1.4a1cfb2b78c13p-2))      // -2187/6784
#define NC_DOPRI_76 NC_EITHER(NC_C32(0x1.0c30c4p-3), NC_C64(0x1.0c30c30c30c31p-3))        // 11/84
#define NC_DOPRI_E1 NC_EITHER(NC_C32(0x1.4320fep-10), NC_C64(0x1.4320fedcba987p-10))      // 71/57600
#define NC_DOPRI_E3 NC_EITHER(NC_C32(-0x1.16b5a6p-8), NC_C64(-0x1.16b5a550abfc4p-8))      // -71/16695
#define NC_DOPRI_E4 NC_EITHER(NC_C32(0x1.2eeeeep-5), NC_C64(0x1.2eeeeeeeeeeefp-5))        // 71/1920
#define NC_DOPRI_E5 NC_EITHER(NC_C32(-0x1.a0ad1ep-5), NC_C64(-0x1.a0ad1d2ca1858p-5))      // -17253/339200
#define NC_DOPRI_E6 NC_EITHER(NC_C32(0x1.5748a8p-5), NC_C64(0x1.5748a7bdaf0e2p-5))        // 22/525
#define NC_DOPRI_E7 NC_EITHER(NC_C32(-0x1.99999ap-6), NC_C64(-0x1.999999999999ap-6))      // -1/40
#define NC_GAMMA NC_EITHER(NC_C32(0x1.2bec34p-2), NC_C64(0x1.2bec333018867p-2))           // 1 - 1/sqrt(2)
#define NC_GAMMA_REST NC_EITHER(NC_C32(0x1.6a09e6p-1), NC_C64(0x1.6a09e667f3bcdp-1))      // 1/sqrt(2)
#define NC_TRBDF2_GAMMA NC_EITHER(NC_C32(0x1.2bec34p-1), NC_C64(0x1.2bec333018867p-1))    // 2 - sqrt(2)
#define NC_TRBDF2_MIDDLE NC_EITHER(NC_C32(0x1.3504f4p+0), NC_C64(0x1.3504f333f9de6p+0))   // (sqrt(2) + 1)/2
#define NC_TRBDF2_START NC_EITHER(NC_C32(-0x1.a8279ap-3), NC_C64(-0x1.a827999fcef32p-3))  // (1 - sqrt(2))/2
#define NC_TRBDF2_AHEAD NC_EITHER(NC_C32(0x1.b504f4p+0), NC_C64(0x1.b504f333f9de6p+0))    // 1/gamma = (2 + sqrt(2))/2
#define NC_TRBDF2_BEHIND NC_EITHER(NC_C32(-0x1.6a09e6p-1), NC_C64(-0x1.6a09e667f3bcdp-1)) // -(1 - gamma)/gamma = -sqrt(2)/2
#define NC_ARK3_31 NC_EITHER(NC_C32(0x1.38e38ep-1), NC_C64(0x1.38e38e38e38e4p-1))         // 11/18
#define NC_ARK3_32 NC_EITHER(NC_C32(0x1.c71c72p-5), NC_C64(0x1.c71c71c71c71cp-5))         // 1/18
#define NC_ARK3_41 NC_EITHER(NC_C32(0x1.aaaaaap-1), NC_C64(0x1.aaaaaaaaaaaabp-1))         // 5/6
#define NC_ARK3_42 NC_EITHER(NC_C32(-0x1.aaaaaap-1), NC_C64(-0x1.aaaaaaaaaaaabp-1))       // -5/6
#endif
