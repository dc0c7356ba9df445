package signing

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// rounds is how many codes Verify computes at least: a key in rotation has two
// secrets, and every other key costs as much as that one.
const rounds = 2

// decoy keys the codes that only spend time. It is as long as a secret (32
// bytes in base64url) and no code made with it is ever accepted.
const decoy = "0000000000000000000000000000000000000000000"

// Sign returns the signature of a canonical string: lower-case hex of its
// HMAC-SHA256, keyed with the secret's UTF-8 bytes as the operator was shown
// them, not with what they might decode to (D30).
func Sign(secret, canonical string) string {
	code := sign(secret, []byte(canonical))
	return string(code[:])
}

// sign returns the hex digits of the code; as an array it need not leave the
// caller's stack.
func sign(secret string, canonical []byte) (digits [lenSignature]byte) {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(canonical)
	var sum [sha256.Size]byte
	hex.Encode(digits[:], mac.Sum(sum[:0]))
	return digits
}

// Verify reports whether signature is that of canonical under one of secrets;
// several are valid while a key is rotated. An empty secret verifies nothing.
//
// The work is the same for none, one and two secrets and whichever matches. For
// an unknown key call it with no secrets: it returns false at the cost of a
// known key (D1 step 10).
func Verify(secrets []string, canonical, signature string) bool {
	message, claimed := []byte(canonical), []byte(signature)
	matched := 0
	for i := range max(len(secrets), rounds) {
		secret, counts := decoy, 0
		if i < len(secrets) && secrets[i] != "" {
			secret, counts = secrets[i], 1
		}
		code := sign(secret, message)
		matched |= counts & subtle.ConstantTimeCompare(code[:], claimed)
	}
	return matched == 1
}
