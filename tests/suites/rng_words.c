// SPDX-License-Identifier: Apache-2.0
// Random words: published answers, addresses, carries, and that a draw depends on its address alone.
#include "reference_philox.h"
#include "rng.h"

#include <string.h>

static void expect_words(cupel_context *context, uint64_t seed, uint64_t stream, uint64_t first, int64_t count)
{
    uint32_t *expected = cupel_alloc(context, (size_t)count * sizeof *expected);
    for (int64_t i = 0; i < count; ++i) {
        expected[i] = reference_word(seed, stream, first + (uint64_t)i);
    }
    nc_array *out = cupel_output_vector(context, NC_U32, count);
    cupel_require_ok(context, nc_rng_words(seed, stream, first, out));
    cupel_expect_bits(context, out, expected, (size_t)count);
}

// Random123, tests/kat_vectors: the reference of this suite against all three answers (two of them lie at blocks that have no word
// index), the device against the one that is addressable.
static void known_answers(cupel_context *context)
{
    static const struct {
        uint32_t counter[4], key[2], words[4];
    } answers[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; ++i) {
        uint32_t words[4];
        reference_philox(words, answers[i].counter, answers[i].key, 10);
        cupel_expect_same(context, NC_U32, words, answers[i].words, 4);
    }
    nc_array *out = cupel_output_vector(context, NC_U32, 4);
    cupel_require_ok(context, nc_rng_words(0, 0, 0, out));
    cupel_expect_bits(context, out, answers[0].words, 4);
}

// Addresses that an exchanged key or counter word, a lost carry or a different number of rounds would change. The same words come
// from curand_init(seed, stream, index).
static void address_table(cupel_context *context)
{
    static const struct {
        uint64_t seed, stream, index;
        uint32_t word;
    } known[] = {
        {0, 0, 0, 0x6627e8d5},
        {0, 0, 1, 0xe169c58d},
        {0, 0, 4, 0xf8e4cca4},
        {1234, 0, 0, 0x2090b348},
        {1234, 1, 0, 0xd115a128},
        {0x123456789abcdef0, 0xfedcba9876543210, 0x0f0e0d0c0b0a0908, 0x2f0bc0db},
        {0, 0, 0x3ffffffff, 0x2a1ef7a5},
        {0, 0, 0x400000000, 0x6ad0c5ec},
        {0, 0x100000000, 0, 0x2dce73e5},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x411fcefd},
        {99, 0, 0, 0xb4e69ac8},
        {99, 0, 1, 0xce226d6c},
        {99, 0, 2, 0x635989a1},
        {99, 0, 3, 0xf57b32fb},
        {99, 0, 4, 0xb9f0711c},
        {99, 0, 5, 0x986f5f32},
        {99, 0, 6, 0xc3a52238},
        {99, 0, 7, 0xe167b3e0},
        {99, 0, 4294967295, 0x942687c1},
        {99, 0, 4294967296, 0xb3722808},
        {99, 0, 4294967297, 0x4157a35a},
        {99, 0, 17179869183, 0x567bebab},
        {99, 0, 17179869184, 0x48755553},
        {99, 0, 17179869187, 0xca1d86e2},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        nc_array *out = cupel_output_vector(context, NC_U32, 1);
        cupel_require_ok(context, nc_rng_words(known[i].seed, known[i].stream, known[i].index, out));
        cupel_expect_bits(context, out, &known[i].word, 1);
    }
}

// Known answers at blocks around the carries of the counter's words (key 42).
static void counter_carries(cupel_context *context)
{
    static const struct {
        uint64_t block;
        uint32_t words[4];
    } answers[] = {
        {0, {0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7}},
        {1, {0xfcdb2127, 0x53ba6cfd, 0x838f5a6e, 0x744e06fb}},
        {0xfffffffe, {0x81b97a34, 0xac88045c, 0x962e881c, 0x41bb3828}},
        {0xffffffff, {0x6e2412de, 0x41d4ec95, 0x29dd3e0c, 0xaed56cfa}},
        {0x100000000, {0x42e0b8b3, 0x7dbf5de8, 0x2fe739d4, 0x6aaf03eb}},
        {0x100000001, {0x220383a8, 0x6880ffbe, 0x93ef3466, 0xda94bb0d}},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; ++i) {
        nc_array *out = cupel_output_vector(context, NC_U32, 4);
        cupel_require_ok(context, nc_rng_words(42, 0, 4 * answers[i].block, out));
        cupel_expect_bits(context, out, answers[i].words, 4);
    }
    expect_words(context, 42, 0, 4 * 0xffffffffu - 5, 64);
    expect_words(context, 42, UINT64_MAX, UINT64_MAX - 63, 64);
}

// A word's value does not depend on where a range begins: every phase of a block, every short length.
static void unaligned_ranges(cupel_context *context)
{
    static const uint64_t firsts[] = {0, 1, 2, 3, 5, 4294967293, 4294967295, 17179869181, 17179869183};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; ++i) {
        for (int64_t count = 1; count <= 9; ++count) {
            expect_words(context, 99, 7, firsts[i], count);
        }
    }
}

// One range equals any division of it into chunks, drawn in another order.
static void chunk_invariance(cupel_context *context)
{
    enum { COUNT = 10007 };
    static const int64_t chunks[] = {1, 3, 64, 1000, 4096, 4843};
    nc_array *whole = cupel_output_vector(context, NC_U32, COUNT);
    uint32_t *pieces = cupel_alloc(context, COUNT * sizeof *pieces);
    int64_t end = COUNT;
    cupel_require_ok(context, nc_rng_words(5, 6, 11, whole));
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; ++i) {
        nc_array *chunk = cupel_output_vector(context, NC_U32, chunks[i]);
        end -= chunks[i];
        cupel_require_ok(context, nc_rng_words(5, 6, 11 + (uint64_t)end, chunk));
        memcpy(pieces + end, cupel_download(context, chunk), (size_t)chunks[i] * sizeof *pieces);
    }
    cupel_expect_u64(context, (uint64_t)end, 0);
    cupel_expect_bits(context, whole, pieces, COUNT);
}

// Many words of a seed and stream whose four key and stream words all differ.
static void bulk_against_reference(cupel_context *context)
{
    expect_words(context, 0x0123456789abcdef, 0x76543210fedcba98, 0x00000003fffffff1, 200003);
}

// Every key and stream bit reaches the words.
static void every_seed_and_stream_bit(cupel_context *context)
{
    for (int bit = 0; bit < 64; ++bit) {
        expect_words(context, (uint64_t)1 << bit, 0, 0, 4);
        expect_words(context, 0, (uint64_t)1 << bit, 0, 4);
    }
}

// A matrix that is a window of a wider one: element e in C order has index first + e; the rest of each row stays.
static void strided_output(cupel_context *context)
{
    const int64_t shape[] = {5, 7};
    const int64_t strides[] = {-11, 1};
    uint32_t expected[35];
    for (uint64_t i = 0; i < 35; ++i) {
        expected[i] = reference_word(3, 4, 1000 + i);
    }
    nc_array *out = cupel_output_strided(context, NC_U32, 2, shape, strides);
    cupel_require_ok(context, nc_rng_words(3, 4, 1000, out));
    cupel_expect_bits(context, out, expected, 35);
}

static void range_past_the_end(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_U32, 5);
    cupel_expect_status(context, nc_rng_words(1, 1, UINT64_MAX - 3, out), NC_OUT_OF_RANGE);
    cupel_expect_untouched(context, out);
    expect_words(context, 1, 1, UINT64_MAX - 3, 4);
}

static void no_words(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_U32, 0);
    cupel_expect_status(context, nc_rng_words(1, 1, UINT64_MAX, out), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE("rng.words.random123-known-answers", known_answers),
    CUPEL_CASE("rng.words.address-table", address_table),
    CUPEL_CASE("rng.words.counter-carries", counter_carries),
    CUPEL_CASE("rng.words.unaligned-ranges", unaligned_ranges),
    CUPEL_CASE("rng.words.chunk-invariance", chunk_invariance),
    CUPEL_CASE("rng.words.bulk-against-reference", bulk_against_reference),
    CUPEL_CASE("rng.words.every-seed-and-stream-bit", every_seed_and_stream_bit),
    CUPEL_CASE("rng.words.strided-output", strided_output),
    CUPEL_CASE("rng.words.range-past-the-end-refused", range_past_the_end),
    CUPEL_CASE("rng.words.no-elements", no_words),
};
const cupel_table rng_words_table = CUPEL_TABLE(cases);
