package webconsole

import (
	"context"
	"net/http"
	"time"

	"touchline/scripts/touchline/doctor"
	"touchline/scripts/webconsole/parts"
)

// Condition is where the page about the service's condition looks. The zero value looks
// nowhere.
type Condition struct {
	// Findings are those of doctor.
	Findings func(context.Context) []doctor.Finding
	// Backups are what there is to restore from.
	Backups func(context.Context) ([]Backup, error)
	// Where says where backups are looked for.
	Where string
}

// conditionBody is the page of the service's condition.
type conditionBody struct {
	Findings []doctor.Finding
	Backups  []shownBackup
	Old      bool // the newest backup is older than backupsMatter, or there isn't one
	Where    string
	Trouble  string // why the backups are not known
}

type shownBackup struct {
	Backup
	Age string
}

// backupsMatter is the age from which on the newest backup is worth a warning: one a
// day, and the time that it takes.
const backupsMatter = 26 * time.Hour

func (s *Server) conditionRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /health", s.condition)
}

func (s *Server) condition(w http.ResponseWriter, r *http.Request) {
	c, now := s.options.Condition, s.options.Now()
	b := conditionBody{Where: c.Where, Old: true}
	if c.Findings != nil {
		b.Findings, _ = s.findings.Get(now, func() ([]doctor.Finding, error) { return c.Findings(r.Context()), r.Context().Err() })
	}
	if c.Backups != nil {
		all, err := c.Backups(r.Context())
		if err != nil {
			s.options.Report(err)
			b.Trouble = "The backups could not be listed: the terminal of the console says why."
		}
		for _, one := range all {
			last := one.From
			if !one.Until.IsZero() {
				last = one.Until
			}
			age := now.Sub(last)
			b.Old = b.Old && age > backupsMatter
			b.Backups = append(b.Backups, shownBackup{one, parts.Age(age)})
		}
	}
	s.render(w, r, http.StatusOK, "health", page{Title: "Health and backups", Section: "health", Body: b})
}
