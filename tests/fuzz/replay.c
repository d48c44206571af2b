// SPDX-License-Identifier: Apache-2.0
// fuzz-<target> ROUNDS FOLDER...: a main for the targets without libFuzzer. Runs every file of the folders and, for each, ROUNDS
// inputs made from it by fixed rules: bytes changed, cut out, repeated, spliced with the next file. Same inputs on every machine.
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

enum { INPUTS_MOST = 512, INPUT_BYTES_MOST = 1 << 16, EXIT_USAGE = 64 };

typedef struct input {
    uint8_t *bytes;
    size_t length;
} input;

static input inputs[INPUTS_MOST];
static size_t input_count;

static uint32_t draw(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u; // Numerical Recipes' generator: inputs need no quality
    return limit == 0 ? 0 : (*state >> 8) % limit;
}

static void input_read(const char *path)
{
    FILE *in = fopen(path, "rb");
    uint8_t *bytes = malloc(INPUT_BYTES_MOST);
    if (in == NULL || bytes == NULL || input_count == INPUTS_MOST) {
        free(bytes);
        if (in != NULL) {
            fclose(in);
        }
        return;
    }
    inputs[input_count++] = (input){bytes, fread(bytes, 1, INPUT_BYTES_MOST, in)};
    fclose(in);
}

static void folder_read(const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; ++i) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            input_read(file);
        }
        free(entries[i]);
    }
    free(entries);
}

// One change by the generator: the length may shrink to 0 and grow to the buffer.
static void change(uint32_t *state, uint8_t *bytes, size_t *length, const input *other)
{
    size_t at = draw(state, (uint32_t)*length + 1);
    size_t some = draw(state, 16) + 1;
    switch (draw(state, 4)) {
    case 0: // change bytes
        for (size_t i = at; i < *length && i < at + some; ++i) {
            bytes[i] = (uint8_t)draw(state, 256);
        }
        break;
    case 1: // cut out
        some = some < *length - at ? some : *length - at;
        memmove(bytes + at, bytes + at + some, *length - at - some);
        *length -= some;
        break;
    case 2: // repeat
        if (*length + some <= INPUT_BYTES_MOST && at + some <= *length) {
            memmove(bytes + at + some, bytes + at, *length - at);
            *length += some;
        }
        break;
    default: // splice
        if (other->length > 0) {
            size_t from = draw(state, (uint32_t)other->length);
            some = other->length - from < INPUT_BYTES_MOST - at ? other->length - from : INPUT_BYTES_MOST - at;
            memcpy(bytes + at, other->bytes + from, some);
            *length = at + some;
        }
    }
}

int main(int argc, char **argv)
{
    static uint8_t bytes[INPUT_BYTES_MOST];
    char *end = NULL;
    unsigned long rounds = argc < 3 ? 0 : strtoul(argv[1], &end, 10);
    if (argc < 3 || *end != '\0') {
        fprintf(stderr, "usage: %s ROUNDS FOLDER...\n", argv[0]);
        return EXIT_USAGE;
    }
    for (int i = 2; i < argc; ++i) {
        folder_read(argv[i]);
    }
    if (input_count == 0) {
        fprintf(stderr, "%s: the folders hold no file\n", argv[0]);
        return 1;
    }
    uint32_t state = 1;
    for (size_t i = 0; i < input_count; ++i) {
        LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].length);
        for (unsigned long round = 0; round < rounds; ++round) {
            size_t length = inputs[i].length;
            memcpy(bytes, inputs[i].bytes, length);
            for (uint32_t changes = draw(&state, 4) + 1; changes > 0; --changes) {
                change(&state, bytes, &length, &inputs[(i + 1) % input_count]);
            }
            LLVMFuzzerTestOneInput(bytes, length);
        }
    }
    unlink(fuzz_file(bytes, 0));
    printf("%zu files, %lu inputs made from each: all hold\n", input_count, rounds);
    for (size_t i = 0; i < input_count; ++i) {
        free(inputs[i].bytes);
    }
    return 0;
}
