// SPDX-License-Identifier: Apache-2.0
// Cases that compare this device's answers with the committed corpora: one for each operation and dtype of
// golden/operations/<module>.def. Usage:
//
//   static const cupel_case cases[] = {
//   #include "../../golden/operations/linalg.def"
//   };
#ifndef SUITE_GOLDEN_CASES_H
#define SUITE_GOLDEN_CASES_H

#include "cupel.h"

#include "answers/answers.h"

static void golden_corpus_agrees(cupel_context *context)
{
    const char *operation = cupel_data(context);
    golden_comparison comparison = {.rows = 0};
    golden_error error = {.text = ""};
    golden_dtype dtype = cupel_dtype(context) == NC_F32 ? GOLDEN_F32 : cupel_dtype(context) == NC_F64 ? GOLDEN_F64 : GOLDEN_U32;
    golden_status status = golden_compare(cupel_device(context), CUPEL_GOLDEN_DIR, operation, dtype, &comparison, &error);
    cupel_expect_counted(context, "corpus", comparison.values, comparison.bytes, comparison.differing, comparison.bits,
                         comparison.first);
    if (status != GOLDEN_OK && comparison.differing == 0) {
        cupel_fail(context, "%s", error.text);
    }
}

#define GOLDEN_CASE_GOLDEN_DTYPES_REAL(module, name)                                                                               \
    CUPEL_CASE_REALS_DATA(#module ".golden." #name, golden_corpus_agrees, #module "." #name),
#define GOLDEN_CASE_GOLDEN_DTYPES_WORDS(module, name)                                                                              \
    {#module ".golden." #name ".u32", golden_corpus_agrees, NC_U32, #module "." #name},
#define GOLDEN_OPERATION(module, name, dtypes) GOLDEN_CASE_##dtypes(module, name)

#endif
