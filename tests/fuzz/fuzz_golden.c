// SPDX-License-Identifier: Apache-2.0
// Any bytes as a corpus: refused with a sentence, or exactly the bytes that the writer makes of what was read.
#include "fuzz.h"

#include "lib/corpus.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    golden_error error = {0};
    golden_corpus corpus = {0};
    golden_text text = {0};
    char *copy = malloc(size + 1); // the reader's text is zero-terminated
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, data, size);
    copy[size] = '\0';
    if (golden_corpus_parse("fuzz", copy, size, NULL, NULL, &corpus, &error) == GOLDEN_OK) {
        FUZZ_REQUIRE(golden_corpus_format(&corpus, &text, &error) == GOLDEN_OK);
        FUZZ_REQUIRE(text.length == size && memcmp(text.data, data, size) == 0);
    }
    golden_text_free(&text);
    golden_corpus_free(&corpus);
    free(copy);
    return 0;
}
