// SPDX-License-Identifier: Apache-2.0
#include "signature.h"

#include "attempt_receipt.h"
#include "evidence_process.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECEIPT_BYTES_MAX = 1 << 28, SIGNATURE_BYTES_MAX = 1 << 16, KEY_BYTES_MAX = 8192 };
static const double SSH_LIMIT_SECONDS = 300.0; // a key may ask for its passphrase or for a touch
#define AUTHOR "author"
#define REVIEWER "reviewer"

bool evidence_role_is_valid(const char *role)
{
    return strcmp(role, AUTHOR) == 0 || strcmp(role, REVIEWER) == 0;
}

bool evidence_is_signature(const char *name)
{
    return strcmp(name, EVIDENCE_RECEIPT "." AUTHOR ".sig") == 0 || strcmp(name, EVIDENCE_RECEIPT "." REVIEWER ".sig") == 0;
}

// Copies a file; both sides are plain files.
static bool copy_file(const char *from, const char *directory, const char *name, size_t limit)
{
    cupel_file file;
    if (cupel_file_read(from, limit, &file) != NULL) {
        return false;
    }
    const bool written = evidence_file_write(directory, name, file.bytes, file.length, EVIDENCE_NEW);
    cupel_file_free(&file);
    return written;
}

// The public key inside a signature file: base64 of "SSHSIG", a version and the key as an ssh string (PROTOCOL.sshsig). Returns its
// length, 0 when the file is no signature.
static size_t public_key_read(const char *path, unsigned char key[KEY_BYTES_MAX])
{
    static const char begin[] = "-----BEGIN SSH SIGNATURE-----";
    cupel_file file;
    char text[KEY_BYTES_MAX] = "";
    unsigned char blob[KEY_BYTES_MAX];
    size_t count = 0;
    if (cupel_file_read(path, SIGNATURE_BYTES_MAX, &file) != NULL) {
        return 0;
    }
    const char *at = strncmp(file.bytes, begin, strlen(begin)) == 0 ? file.bytes + strlen(begin) : "";
    while (*at != '\0' && *at != '-' && count < sizeof text - 1) {
        if (*at != '\n') {
            text[count++] = *at;
        }
        ++at;
    }
    cupel_file_free(&file);
    const int length = EVP_DecodeBlock(blob, (const unsigned char *)text, (int)count);
    if (length < 14 || memcmp(blob, "SSHSIG", 6) != 0) {
        return 0;
    }
    const size_t size = (size_t)blob[10] << 24 | (size_t)blob[11] << 16 | (size_t)blob[12] << 8 | blob[13];
    if (size == 0 || size > (size_t)length - 14) {
        return 0;
    }
    memcpy(key, blob + 14, size);
    return size;
}

// True when it is a certificate: one key may have many, so two of them do not show two keys.
static bool is_certificate(const unsigned char *key, size_t size)
{
    char type[64] = ""; // an ssh string at the key's beginning
    if (size > 4) {
        snprintf(type, sizeof type, "%.*s", (int)(size - 4 < sizeof type ? size - 4 : sizeof type - 1), (const char *)key + 4);
    }
    return strstr(type, "-cert-v01@") != NULL;
}

bool evidence_signature_make(const char *directory, const char *key, const char *role, char message[EVIDENCE_MESSAGE])
{
    // ssh-keygen writes beside what it signs, so a copy is signed: nothing half-made appears in the attempt.
    char folder[] = P_tmpdir "/cupel-sign-XXXXXX";
    char receipt[PATH_MAX];
    char copy[PATH_MAX];
    char made[PATH_MAX];
    char name[128];
    char space[128];
    unsigned char public_key[KEY_BYTES_MAX];
    snprintf(name, sizeof name, EVIDENCE_RECEIPT ".%s.sig", role);
    snprintf(space, sizeof space, "cupel-receipt-%s", role);
    if (mkdtemp(folder) == NULL) {
        evidence_say(message, "no temporary folder can be made (%s); free space in " P_tmpdir ".", strerror(errno));
        return false;
    }
    bool signed_ok = evidence_path(receipt, "%s/" EVIDENCE_RECEIPT, directory) &&
                     evidence_path(copy, "%s/" EVIDENCE_RECEIPT, folder) && evidence_path(made, "%s.sig", copy) &&
                     copy_file(receipt, folder, EVIDENCE_RECEIPT, RECEIPT_BYTES_MAX);
    if (!signed_ok) {
        evidence_say(message, "%s/" EVIDENCE_RECEIPT " cannot be read; name the directory of a closed attempt.", directory);
    } else {
        const char *const argv[] = {"ssh-keygen", "-Y", "sign", "-f", key, "-n", space, copy, NULL};
        const evidence_process_spec spec = {.argv = argv, .stdout_fd = -1, .stderr_fd = -1, .limit_seconds = SSH_LIMIT_SECONDS};
        evidence_process_result result;
        signed_ok = evidence_process_run(&spec, &result) && result.started && result.exit_status == 0;
        if (!signed_ok) {
            evidence_say(message, "ssh-keygen cannot sign with %s; name a private key that it can use (Debian: openssh-client).",
                         key);
        } else if (is_certificate(public_key, public_key_read(made, public_key))) {
            signed_ok = false;
            evidence_say(message, "%s is a certificate, and one key may have many; name the private key itself.", key);
        } else if (!copy_file(made, directory, name, SIGNATURE_BYTES_MAX)) {
            signed_ok = false;
            evidence_say(message, "%s/%s cannot be written (%s); a signature is never replaced, so remove it first if it shall go.",
                         directory, name, strerror(errno));
        }
    }
    unlink(made);
    unlink(copy);
    rmdir(folder);
    return signed_ok;
}

// Verifies one role's signature; `signer` gets the principal. False after a finding.
static bool role_verify(const char *directory, const char *allowed, const char *role, char signer[256], cupel_findings *findings)
{
    char signature[PATH_MAX];
    char receipt[PATH_MAX];
    char space[64];
    evidence_process_result result;
    snprintf(space, sizeof space, "cupel-receipt-%s", role);
    if (!evidence_path(signature, "%s/" EVIDENCE_RECEIPT ".%s.sig", directory, role) ||
        !evidence_path(receipt, "%s/" EVIDENCE_RECEIPT, directory) || access(signature, R_OK) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_SIGNATURE_MISSING, role, "%s has no " EVIDENCE_RECEIPT ".%s.sig", directory,
                           role);
        return false;
    }
    const char *const who[] = {"ssh-keygen", "-Y", "find-principals", "-f", allowed, "-s", signature, NULL};
    char *principals = evidence_process_output(who, SSH_LIMIT_SECONDS, SIGNATURE_BYTES_MAX);
    bool valid = principals != NULL && principals[0] != '\0' && principals[0] != '\n';
    if (valid) {
        FILE *quiet = tmpfile();
        snprintf(signer, 256, "%.*s", (int)strcspn(principals, "\n"), principals);
        const char *const argv[] = {"ssh-keygen", "-Y", "verify", "-f", allowed, "-I", signer, "-n", space, "-s", signature, NULL};
        const evidence_process_spec spec = {.argv = argv,
                                            .stdin_path = receipt,
                                            .stdout_fd = quiet != NULL ? fileno(quiet) : -1,
                                            .stderr_fd = quiet != NULL ? fileno(quiet) : -1,
                                            .limit_seconds = SSH_LIMIT_SECONDS};
        valid = evidence_process_run(&spec, &result) && result.started && result.exit_status == 0;
        if (quiet != NULL) {
            fclose(quiet);
        }
    }
    if (!valid) {
        cupel_findings_add(findings, CUPEL_REASON_SIGNATURE_INVALID, role,
                           "%s is not a signature of this receipt by an allowed key", signature);
    }
    free(principals);
    return valid;
}

void evidence_signatures_verify(const char *directory, const char *allowed_signers, evidence_signers *signers,
                                cupel_findings *findings)
{
    char path[PATH_MAX];
    unsigned char author[KEY_BYTES_MAX];
    unsigned char reviewer[KEY_BYTES_MAX];
    *signers = (evidence_signers){"", ""};
    const bool by_author = role_verify(directory, allowed_signers, AUTHOR, signers->author, findings);
    const bool by_reviewer = role_verify(directory, allowed_signers, REVIEWER, signers->reviewer, findings);
    if (!by_author || !by_reviewer) {
        return;
    }
    const size_t author_size =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT ".%s.sig", directory, AUTHOR) ? public_key_read(path, author) : 0;
    const size_t reviewer_size =
        evidence_path(path, "%s/" EVIDENCE_RECEIPT ".%s.sig", directory, REVIEWER) ? public_key_read(path, reviewer) : 0;
    if (author_size == 0 || reviewer_size == 0) {
        cupel_findings_add(findings, CUPEL_REASON_SIGNATURE_INVALID, directory, "a signature has no readable key");
    } else if (is_certificate(author, author_size) || is_certificate(reviewer, reviewer_size)) {
        cupel_findings_add(findings, CUPEL_REASON_SIGNATURE_INVALID, directory,
                           "a certificate made a signature, and one key may have many; sign with the private key itself");
    } else if (author_size == reviewer_size && memcmp(author, reviewer, author_size) == 0) {
        cupel_findings_add(findings, CUPEL_REASON_SIGNATURE_SAME_KEY, directory, "%s and %s signed with one key", signers->author,
                           signers->reviewer);
    }
}
