package site

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"os"

	"touchline/shared/engine"
)

const referencePage = "reference"

// bundled is Redoc's bundle where `make build` has put it, beside a README.
//
//go:embed renderer
var bundled embed.FS

// rendererName is its file there, and rendererSHA256 the hash of that of the
// version that scripts/package.json pins.
const (
	rendererName   = "redoc.standalone.js"
	rendererSHA256 = "8c70c2de83d33e33a75b225e573d6d9fe851f066f824b44b1637d831d52d7543"
)

// ErrNoRenderer says that this program was built without Redoc.
var ErrNoRenderer = errors.New("this build has no renderer for the reference: build the command with `make deps build`")

// Renderer is Redoc's bundle: the one that was compiled in, else the one that
// `make deps` installed in the checkout that this program was built in. Anything
// but the pinned version, byte for byte, is refused. The error wraps
// ErrNoRenderer.
func Renderer() ([]byte, error) {
	if text, err := bundled.ReadFile("renderer/" + rendererName); err == nil && isRenderer(text) {
		return text, nil
	}
	path, found := engine.Installed("redoc/bundles/" + rendererName)
	if !found {
		return nil, ErrNoRenderer
	}
	text, err := os.ReadFile(path) //nolint:gosec // of the program's own checkout
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w (%w)", ErrNoRenderer, err)
	case !isRenderer(text):
		return nil, fmt.Errorf("%w (scripts/node_modules holds another version of Redoc)", ErrNoRenderer)
	}
	return text, nil
}

func isRenderer(text []byte) bool {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]) == rendererSHA256
}

// offline is the bundle for the site: a plain script, because browsers do not
// load modules from a disk, without the image that it would load from a server.
func offline(bundle []byte) ([]byte, error) {
	for _, change := range [][2]string{
		{"export{RedocStandalone,hydrate,init};", ";globalThis.Redoc={init};"},
		{"import.meta", "({})"}, // in workers that are not started
		{"https://cdn.redoc.ly/redoc/logo-mini-full.svg", "assets/none.svg"},
		{"https://cdn.redoc.ly/redoc/logo-mini.svg", "assets/none.svg"},
	} {
		if !bytes.Contains(bundle, []byte(change[0])) {
			return nil, fmt.Errorf("the renderer has no %q: it is not the version that this program knows", change[0])
		}
		bundle = bytes.ReplaceAll(bundle, []byte(change[0]), []byte(change[1]))
	}
	return bundle, nil
}

// reference adds the page of the reference and the files that it needs.
func (v *view) reference(out map[string][]byte, document []byte) error {
	f := framed{Page: page{referencePage, "Reference", "Every route with its parameters, an example and its errors."}, Policy: referencePolicy}
	if v.Renderer == nil {
		f.Body = template.HTML(`<h1>Reference</h1><p>This copy of the site was written without the renderer of the reference. The <a href="openapi.json">OpenAPI document</a> has all of it, for any program that shows such documents.</p>`)
	} else {
		bundle, err := offline(v.Renderer)
		if err != nil {
			return err
		}
		licence, err := bundled.ReadFile("renderer/redoc.LICENSE")
		if err != nil {
			return err
		}
		out["assets/redoc.js"], out["assets/redoc.LICENSE"] = bundle, licence
		// This is a script, since a page from a disk may not fetch.
		out["assets/document.js"] = append(append([]byte("globalThis.touchlineDocument = "), bytes.TrimSpace(document)...), ";\n"...)
		f.Scripts = []string{"redoc.js", "document.js", "reference.js"}
	}
	text, err := v.frame(f)
	out[referencePage+".html"] = text
	return err
}
