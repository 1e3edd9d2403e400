// Referee of an exported log: everything is checked with Go's own sumdb code, nothing with code of the service.
//
// Usage: referee <directory>. The directory holds checkpoint, checkpoint.old, vkeys, consistency,
// p<i>.entry with p<i>.tlog-proof, and tile/ as the log serves it. The first failure ends it with status 1.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	tileHeight      = 8
	tileWidth       = 1 << tileHeight
	typeEd25519     = 0x01
	typeCosignature = 0x04
	proofHeader     = "c2sp.org/tlog-proof@v1"
)

type report struct {
	Size        int64 `json:"size"`
	OldSize     int64 `json:"old_size"`
	Entries     int64 `json:"entries"`
	Bundles     int   `json:"bundles"`
	HashTiles   int   `json:"hash_tiles"`
	Proofs      int   `json:"proofs"`
	Checkpoints int   `json:"checkpoints"`
	Signatures  int   `json:"signatures"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: referee <directory>")
		os.Exit(2)
	}
	result, err := check(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAIL", err)
		os.Exit(1)
	}
	line, _ := json.Marshal(result)
	fmt.Println(string(line))
}

func check(dir string) (*report, error) {
	keys, err := readKeys(dir)
	if err != nil {
		return nil, fmt.Errorf("vkeys: %w", err)
	}
	current, signatures, err := openFile(dir, "checkpoint", keys, len(keys.log)+len(keys.witnesses))
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	old, oldSignatures, err := openFile(dir, "checkpoint.old", keys, len(keys.log))
	if err != nil {
		return nil, fmt.Errorf("checkpoint.old: %w", err)
	}
	result := &report{Size: current.N, OldSize: old.N, Signatures: signatures + oldSignatures}
	if err := checkConsistency(dir, keys, old, current); err != nil {
		return nil, fmt.Errorf("consistency: %w", err)
	}
	tiles := &tileFiles{dir: dir, seen: map[string]bool{}}
	reader := tlog.TileHashReader(current, tiles)
	if err := checkEntries(dir, current, reader, result); err != nil {
		return nil, err
	}
	if err := checkRoot(old, reader); err != nil {
		return nil, fmt.Errorf("checkpoint.old: %w", err)
	}
	if err := checkProofs(dir, keys, reader, result); err != nil {
		return nil, err
	}
	result.HashTiles = len(tiles.seen)
	return result, nil
}

// Keys

type keyList struct {
	log       []note.Verifier
	witnesses []note.Verifier
}

func readKeys(dir string) (*keyList, error) {
	data, err := os.ReadFile(filepath.Join(dir, "vkeys"))
	if err != nil {
		return nil, err
	}
	keys := &keyList{}
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		parts := strings.SplitN(line, "+", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("not a key: %q", line)
		}
		typed, err := strictBase64(parts[2])
		if err != nil || len(typed) == 0 {
			return nil, fmt.Errorf("not a key: %q", line)
		}
		switch typed[0] {
		case typeEd25519:
			verifier, err := note.NewVerifier(line)
			if err != nil {
				return nil, err
			}
			keys.log = append(keys.log, verifier)
		case typeCosignature:
			verifier, err := newCosigner(parts[0], parts[1], typed)
			if err != nil {
				return nil, err
			}
			keys.witnesses = append(keys.witnesses, verifier)
		default:
			return nil, fmt.Errorf("key type %d", typed[0])
		}
	}
	if len(keys.log) == 0 {
		return nil, fmt.Errorf("no key of the log")
	}
	return keys, nil
}

func (k *keyList) all() note.Verifiers {
	return note.VerifierList(append(append([]note.Verifier{}, k.log...), k.witnesses...)...)
}

// cosigner verifies cosignature/v1: eight bytes of time, then Ed25519 over a header with the time and the note.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newCosigner(name, id string, typed []byte) (note.Verifier, error) {
	digest := sha256.Sum256(append([]byte(name+"\n"), typed...))
	if fmt.Sprintf("%x", digest[:4]) != id || len(typed) != 1+ed25519.PublicKeySize {
		return nil, fmt.Errorf("the key of %s has a wrong id or length", name)
	}
	return &cosigner{name, binary.BigEndian.Uint32(digest[:4]), ed25519.PublicKey(typed[1:])}, nil
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }

func (c *cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(sig[:8])
	if time == 0 || time > 1<<63-1 {
		return false
	}
	signed := append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", time)), msg...)
	return ed25519.Verify(c.key, signed, sig[8:])
}

// Checkpoints

func openFile(dir, name string, keys *keyList, signatures int) (tlog.Tree, int, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return tlog.Tree{}, 0, err
	}
	tree, found, err := openCheckpoint(data, keys)
	if err == nil && found != signatures {
		err = fmt.Errorf("%d verified signatures, want %d", found, signatures)
	}
	return tree, found, err
}

func openCheckpoint(data []byte, keys *keyList) (tlog.Tree, int, error) {
	opened, err := note.Open(data, keys.all())
	if err != nil {
		return tlog.Tree{}, 0, err
	}
	// note.Open reads base64 with stray bits at its end; a note here has one spelling.
	isOwn := false
	lines := strings.Split(opened.Text, "\n")
	for _, signature := range append(append([]note.Signature{}, opened.Sigs...), opened.UnverifiedSigs...) {
		if _, err := strictBase64(signature.Base64); err != nil {
			return tlog.Tree{}, 0, err
		}
	}
	for _, signature := range opened.Sigs {
		for _, key := range keys.log {
			isOwn = isOwn || signature.Hash == key.KeyHash() && signature.Name == key.Name() && key.Name() == lines[0]
		}
	}
	if !isOwn {
		return tlog.Tree{}, 0, fmt.Errorf("no key of the origin %q signed", lines[0])
	}
	if len(lines) != 4 || lines[3] != "" {
		return tlog.Tree{}, 0, fmt.Errorf("not exactly three lines")
	}
	size, err := decimal(lines[1])
	if err != nil {
		return tlog.Tree{}, 0, err
	}
	root, err := hash(lines[2])
	return tlog.Tree{N: size, Hash: root}, len(opened.Sigs), err
}

func checkConsistency(dir string, keys *keyList, old, current tlog.Tree) error {
	data, err := os.ReadFile(filepath.Join(dir, "consistency"))
	if err != nil {
		return err
	}
	head, checkpoint, found := bytes.Cut(data, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !found || !strings.HasPrefix(lines[0], "old ") {
		return fmt.Errorf("not an add-checkpoint body")
	}
	size, err := decimal(strings.TrimPrefix(lines[0], "old "))
	if err != nil {
		return err
	}
	proof, err := hashes(lines[1:])
	if err != nil {
		return err
	}
	tree, _, err := openCheckpoint(checkpoint, keys)
	if err != nil {
		return err
	}
	if size != old.N || tree != current {
		return fmt.Errorf("about %d to %d, not about the two checkpoints", size, tree.N)
	}
	return tlog.CheckTree(tlog.TreeProof(proof), tree.N, tree.Hash, old.N, old.Hash)
}

// checkRoot recomputes the root of an earlier size from the tiles of the current tree.
func checkRoot(tree tlog.Tree, reader tlog.HashReader) error {
	root, err := tlog.TreeHash(tree.N, reader)
	if err != nil {
		return err
	}
	if root != tree.Hash {
		return fmt.Errorf("the tiles do not hash to the root of size %d", tree.N)
	}
	return nil
}

// Tiles and entries

// tileFiles maps the paths of Go's sumdb to those of tlog-tiles.
type tileFiles struct {
	dir  string
	seen map[string]bool
}

func (t *tileFiles) Height() int { return tileHeight }

func (t *tileFiles) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	list := make([][]byte, 0, len(tiles))
	for _, tile := range tiles {
		path := tilePath(tile)
		data, err := os.ReadFile(filepath.Join(t.dir, path))
		if err != nil {
			return nil, err
		}
		if len(data) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes", path, len(data))
		}
		t.seen[path] = true
		list = append(list, data)
	}
	return list, nil
}

func (t *tileFiles) SaveTiles([]tlog.Tile, [][]byte) {}

func tilePath(tile tlog.Tile) string {
	path := tile.Path()
	if strings.HasPrefix(path, "tile/8/data/") {
		return "tile/entries/" + strings.TrimPrefix(path, "tile/8/data/")
	}
	return "tile/" + strings.TrimPrefix(path, "tile/8/")
}

func checkEntries(dir string, tree tlog.Tree, reader tlog.HashReader, result *report) error {
	if err := checkRoot(tree, reader); err != nil {
		return err
	}
	for first := int64(0); first < tree.N; first += tileWidth {
		width := tree.N - first
		if width > tileWidth {
			width = tileWidth
		}
		path := tilePath(tlog.Tile{H: tileHeight, L: -1, N: first / tileWidth, W: int(width)})
		bundle, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		indexes := make([]int64, width)
		for i := range indexes {
			indexes[i] = tlog.StoredHashIndex(0, first+int64(i))
		}
		leaves, err := reader.ReadHashes(indexes)
		if err != nil {
			return fmt.Errorf("tiles of leaves from %d: %w", first, err)
		}
		for i, leaf := range leaves {
			var entry []byte
			if entry, bundle, err = cutEntry(bundle); err != nil {
				return fmt.Errorf("%s: leaf %d: %w", path, first+int64(i), err)
			}
			if tlog.RecordHash(entry) != leaf {
				return fmt.Errorf("%s: leaf hash of leaf %d", path, first+int64(i))
			}
			result.Entries++
		}
		if len(bundle) != 0 {
			return fmt.Errorf("%s: %d bytes after the last entry", path, len(bundle))
		}
		result.Bundles++
	}
	return nil
}

func cutEntry(bundle []byte) (entry, rest []byte, err error) {
	if len(bundle) < 2 {
		return nil, nil, fmt.Errorf("the bundle ends before it")
	}
	length := int(binary.BigEndian.Uint16(bundle))
	if len(bundle) < 2+length {
		return nil, nil, fmt.Errorf("the bundle ends inside it")
	}
	return bundle[2 : 2+length], bundle[2+length:], nil
}

// Proof files

func checkProofs(dir string, keys *keyList, reader tlog.HashReader, result *report) error {
	files, err := filepath.Glob(filepath.Join(dir, "p*.tlog-proof"))
	if err != nil {
		return err
	}
	known := map[tlog.Tree]bool{}
	for _, file := range files {
		entry, err := os.ReadFile(strings.TrimSuffix(file, ".tlog-proof") + ".entry")
		if err != nil {
			return err
		}
		proof, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		tree, err := checkProof(entry, proof, keys)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		if !known[tree] {
			if err := checkRoot(tree, reader); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
			known[tree] = true
		}
		result.Proofs++
	}
	entries, err := filepath.Glob(filepath.Join(dir, "p*.entry"))
	if err != nil || len(entries) != len(files) {
		return fmt.Errorf("%d entries for %d proofs", len(entries), len(files))
	}
	result.Checkpoints = len(known)
	return nil
}

func checkProof(entry, proof []byte, keys *keyList) (tlog.Tree, error) {
	head, checkpoint, found := bytes.Cut(proof, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !found || len(lines) < 2 || lines[0] != proofHeader {
		return tlog.Tree{}, fmt.Errorf("not a proof file")
	}
	lines = lines[1:]
	if strings.HasPrefix(lines[0], "extra ") {
		if strings.TrimPrefix(lines[0], "extra ") != base64.StdEncoding.EncodeToString(entry) {
			return tlog.Tree{}, fmt.Errorf("the entry in the proof is another one")
		}
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return tlog.Tree{}, fmt.Errorf("no index")
	}
	index, err := decimal(strings.TrimPrefix(lines[0], "index "))
	if err != nil {
		return tlog.Tree{}, err
	}
	path, err := hashes(lines[1:])
	if err != nil {
		return tlog.Tree{}, err
	}
	tree, _, err := openCheckpoint(checkpoint, keys)
	if err != nil {
		return tlog.Tree{}, err
	}
	return tree, tlog.CheckRecord(tlog.RecordProof(path), tree.N, tree.Hash, index, tlog.RecordHash(entry))
}

// Texts with one spelling

func decimal(text string) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 0 || strconv.FormatInt(number, 10) != text {
		return 0, fmt.Errorf("not a size: %q", text)
	}
	return number, nil
}

func strictBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil && base64.StdEncoding.EncodeToString(data) != text {
		err = fmt.Errorf("not canonical base64: %q", text)
	}
	return data, err
}

func hash(text string) (tlog.Hash, error) {
	data, err := strictBase64(text)
	if err != nil || len(data) != tlog.HashSize {
		return tlog.Hash{}, fmt.Errorf("not a hash: %q", text)
	}
	var value tlog.Hash
	copy(value[:], data)
	return value, nil
}

func hashes(lines []string) ([]tlog.Hash, error) {
	list := make([]tlog.Hash, 0, len(lines))
	for _, line := range lines {
		value, err := hash(line)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}
