package webconsole

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"touchline/scripts/spreadsheet"
	"touchline/shared/loader/export"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// serveSheets answers a download: as is csv, or a workbook; form is an empty form, in place of
// the data; competition and season say what of the data. It is made below a folder. With an error nothing was
// written to w.
func serveSheets(w http.ResponseWriter, r *http.Request, below string, table *store.Table, now time.Time) error {
	asCSV, season := r.FormValue("as") == "csv", 0
	competition := sport.ID(r.FormValue("competition"))
	if competition != "" {
		season, _ = strconv.Atoi(r.FormValue("season")) // 0: all
	}
	dir, err := os.MkdirTemp(below, "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans up temporary files
	kind := map[bool]string{true: ".zip", false: ".xlsx"}[asCSV]
	target, err := export.NewTarget(filepath.Join(dir, "sheets"+kind))
	if err != nil {
		return err
	}
	defer target.Drop()
	name := "touchline-" + now.Format(time.DateOnly)
	if r.FormValue("form") != "" {
		name = "touchline-form"
		err = spreadsheet.Template(target.Create, !asCSV, true, spreadsheet.Kinds(), now)
	} else {
		_, _, err = spreadsheet.Write(r.Context(), &export.Exporter{Table: table, Create: target.Create, Competition: competition, Season: season}, !asCSV, false, ',')
	}
	if errors.Is(err, export.ErrNoCompetition) {
		http.NotFound(w, r)
		return nil
	}
	if err := cmp.Or(err, target.Keep()); err != nil {
		return err
	}
	f, err := os.Open(target.Path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+kind))
	http.ServeContent(w, r, name+kind, now, f)
	return nil
}
