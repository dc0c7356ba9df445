package webconsole

import (
	"net/http"
	"os"
	"path/filepath"
	"time"

	"touchline/scripts/touchline/doctor"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/store/file"
)

// conditionBody is the page of the service's condition.
type conditionBody struct {
	Findings []doctor.Finding
	Where    string // the folder of the backups; empty: AWS keeps them
	Newest   *backup
	Old      bool   // the newest backup is older than backupsMatter, or there isn't one
	Trouble  string // why the backups are not known
}

// backup is a file that `touchline backup` has written.
type backup struct {
	Name  string
	From  time.Time
	Bytes int64
	Age   string
}

// backupsMatter is the age from which on the newest backup is worth a warning: one a
// day, and the time that it takes.
const backupsMatter = 26 * time.Hour

func (s *Server) conditionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /health", s.condition)
}

func (s *Server) condition(w http.ResponseWriter, r *http.Request) {
	now := s.options.Now()
	b := conditionBody{Where: s.options.Backups}
	b.Findings, _ = s.findings.Get(now, func() ([]doctor.Finding, error) { return s.options.Findings(r.Context()), r.Context().Err() })
	if b.Where != "" {
		var err error
		if b.Newest, err = newestBackup(b.Where); err != nil {
			s.options.Report(err)
			b.Trouble = "The backups could not be listed: the terminal of the console says why."
		}
		if b.Old = b.Newest == nil; !b.Old {
			age := now.Sub(b.Newest.From)
			b.Old, b.Newest.Age = age > backupsMatter, parts.Age(age)
		}
	}
	s.render(w, r, http.StatusOK, "health", page{Title: "Health and backups", Section: "health", Body: b})
}

// newestBackup is the newest database in a folder; nil if the folder has no database.
// Other files are passed over.
func newestBackup(dir string) (*backup, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var newest *backup
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".db" || !isBackup(filepath.Join(dir, e.Name())) {
			continue
		}
		if info, err := e.Info(); err == nil && (newest == nil || info.ModTime().After(newest.From)) {
			newest = &backup{Name: filepath.Join(dir, e.Name()), From: info.ModTime(), Bytes: info.Size()}
		}
	}
	return newest, nil
}

// isBackup reports whether a file is a copy of data, which nobody writes to.
func isBackup(path string) bool {
	f, err := file.Open(path, file.Options{ReadOnly: true})
	return err == nil && f.Close() == nil
}
