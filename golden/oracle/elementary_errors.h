// SPDX-License-Identifier: Apache-2.0
// Largest errors of the core's elementary functions where results are normal numbers: relative in units u (2^-24, 2^-53), and in
// ulp. Near the upper end of a binade the second is the smaller one. unit.elementary-analysis derives them operation by operation
// and holds each between its derivation and a tenth above it; docs/elementary.md has the method.
#ifndef ORACLE_ELEMENTARY_ERRORS_H
#define ORACLE_ELEMENTARY_ERRORS_H

#define ERROR_LOG 1.06
#define ERROR_LOG1P 1.06
#define ERROR_LOG1PMX 1.85
#define ERROR_DEVIANCE 2.0
#define ERROR_EXP 1.05
#define ERROR_EXPM1 1.65
#define ERROR_EXPM1MX 2.75
#define ERROR_ERFC 2.1
#define ERROR_ERFCX 2.1
#define ERROR_STIRLING 2.2
#define ERROR_DIGAMMA 2.0
#define ERROR_LGAMMA1P 1.45
#define ERROR_SOFTPLUS 2.05
#define ERROR_SIGMOID 1.3

#define ULP_LOG 0.57
#define ULP_LOG1P 0.63
#define ULP_LOG1PMX 1.52
#define ULP_DEVIANCE 1.22
#define ULP_LGAMMA1P 0.94
#define ULP_SOFTPLUS 1.51

// Relative error in units u before the last rounding, where a polynomial is all there is.
#define INNER_STIRLING 0.18  // from 1/4 on
#define INNER_DIGAMMA 0.5    // from 1/4 on
#define INNER_ERFCX_NEAR 0.6 // in [0, 1/2)
#define INNER_ERFCX 0.17     // in [1/2, 16)

#endif
