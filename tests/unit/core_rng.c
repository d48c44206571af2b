// SPDX-License-Identifier: Apache-2.0
// Random words and uniforms against published answers and exact arithmetic.
#include "core_device.h"

#include <string.h>

static nc_device *device;

static uint32_t word_at(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t word = 0;
    nc_array *out = create_vector(device, NC_U32, 1);
    assert_int_equal(nc_rng_words(seed, stream, index, out), NC_OK);
    download(out, &word, sizeof word);
    release(out);
    return word;
}

// Known answers of Random123 (tests/kat_vectors), 10 rounds.
static void random123_known_answers(void **state)
{
    static const struct {
        uint64_t low, high, key;
        uint32_t words[4];
    } answers[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i) {
        // The counter's low half is a block; only blocks below 2^62 are indices of words.
        if (answers[i].low >> 62 == 0) {
            for (uint32_t lane = 0; lane < 4; ++lane) {
                assert_int_equal(word_at(answers[i].key, answers[i].high, 4 * answers[i].low + lane), answers[i].words[lane]);
            }
        }
    }
}

// Addresses chosen so that a carry across any word of the counter, or an exchanged key, changes them. cuRAND's device generator
// gives the same words for curand_init(seed, stream, index).
static void addresses(void **state)
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
        {0, 0, ((uint64_t)1 << 34) - 1, 0x2a1ef7a5},
        {0, 0, (uint64_t)1 << 34, 0x6ad0c5ec},
        {0, (uint64_t)1 << 32, 0, 0x2dce73e5},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x411fcefd},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        assert_int_equal(word_at(known[i].seed, known[i].stream, known[i].index), known[i].word);
    }
}

static int setup(void **state)
{
    (void)state;
    return nc_device_open("0", &device) != NC_OK;
}

static int teardown(void **state)
{
    (void)state;
    return nc_device_close(device) != NC_OK;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(random123_known_answers, setup, teardown),
    cmocka_unit_test_setup_teardown(addresses, setup, teardown),
};

UNIT_MAIN(tests)
