// SPDX-License-Identifier: Apache-2.0
// Whole files and their hashes.
#include "text.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

golden_status golden_file_read(const char *path, char **data, size_t *bytes, golden_error *error)
{
    *data = NULL;
    *bytes = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: cannot be read (%s); restore it from version control.", path,
                           strerror(errno));
    }
    golden_text text = {0};
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        golden_text_append(&text, block, got);
    }
    bool broken = ferror(file) != 0;
    fclose(file);
    golden_text_append(&text, "", 0);
    if (broken || text.failed) {
        golden_text_free(&text);
        return golden_fail(error, GOLDEN_REFUSED, "%s: reading stopped early (%s); check disk and memory, then run again.", path,
                           broken ? "input error" : "out of memory");
    }
    *data = text.data;
    *bytes = text.length;
    return GOLDEN_OK;
}

golden_status golden_file_write(const char *path, const char *data, size_t bytes, golden_error *error)
{
    golden_text name = {0};
    golden_text_printf(&name, "%s.new", path);
    if (name.failed) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", path);
    }
    FILE *file = fopen(name.data, "wb");
    bool written = file != NULL && fwrite(data, 1, bytes, file) == bytes && fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file != NULL && fclose(file) != 0) {
        written = false;
    }
    if (!written || rename(name.data, path) != 0) {
        golden_status status =
            golden_fail(error, GOLDEN_REFUSED,
                        "%s: cannot be written (%s); nothing was replaced, so make room or the folder writable and run again.",
                        path, strerror(errno));
        unlink(name.data);
        golden_text_free(&name);
        return status;
    }
    golden_text_free(&name);
    return GOLDEN_OK;
}

golden_status golden_sha256(const void *data, size_t bytes, char hex[65], golden_error *error)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    if (EVP_Digest(data, bytes, hash, &length, EVP_sha256(), NULL) != 1 || length != 32) {
        return golden_fail(error, GOLDEN_REFUSED, "SHA-256 could not be computed; check the OpenSSL library.");
    }
    for (unsigned int i = 0; i < length; ++i) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[64] = '\0';
    return GOLDEN_OK;
}
