package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// theRunbookIsAboutTheAlarms: a chapter for each alarm, which the alarm's text names,
// with something to do; each in one row of who is woken; and the saved queries are
// those that it names.
func theRunbookIsAboutTheAlarms(t *testing.T, s *synthesis) {
	raw, err := os.ReadFile("runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	before, text, _ := strings.Cut(string(raw), "\n## ")
	chapters := map[string]string{}
	for _, chapter := range strings.Split(text, "\n## ") {
		name, body, _ := strings.Cut(chapter, "\n")
		chapters[name] = body
	}
	_, table, _ := strings.Cut(before, "| wake somebody | alarms |\n")
	stage := strings.TrimSuffix(fmt.Sprint(s.Resources["GatewayErrorsAlarm"].at("AlarmName")), "5xx")
	alarms := map[string]bool{}
	for _, id := range s.of("AWS::CloudWatch::Alarm") {
		name := strings.TrimPrefix(fmt.Sprint(s.Resources[id].at("AlarmName")), stage)
		alarms[name] = true
		told := fmt.Sprint(s.Resources[id].at("AlarmDescription"))
		if !strings.HasSuffix(told, "infra/runbook.md#"+name+" has the commands.") || len(told) > 1024 {
			t.Errorf("%s says %q", id, told)
		}
		if body := chapters[name]; !strings.Contains(body, "\n1. ") {
			t.Errorf("the runbook has nothing to do for %q: %q", name, body)
		}
		if n := strings.Count(table, "`"+name+"`"); n != 1 {
			t.Errorf("%s is in %d rows of who is woken", name, n)
		}
	}
	for _, name := range []string{watcher, "certificate"} { // of settings that a stage need not have
		if !alarms[name] {
			delete(chapters, name)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(alarms)), slices.Sorted(maps.Keys(chapters))); diff != "" {
		t.Errorf("chapters (-alarms +runbook): %s", diff)
	}

	named, saved := map[string]bool{}, map[string]bool{}
	for _, q := range regexp.MustCompile("quer(?:y|ies) (`[a-z ]+`)").FindAllStringSubmatch(string(raw), -1) {
		named[strings.Trim(q[1], "`")] = true
	}
	for _, id := range s.of("AWS::Logs::QueryDefinition") {
		name := fmt.Sprint(s.Resources[id].at("Name"))
		saved[name[strings.LastIndexByte(name, '/')+1:]] = true
		if groups, _ := s.Resources[id].at("LogGroupNames").([]any); len(groups) == 0 {
			t.Errorf("%s searches nothing", id)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(saved)), slices.Sorted(maps.Keys(named))); diff != "" {
		t.Errorf("queries (-saved +named by the runbook): %s", diff)
	}
}

// queriesNameFieldsThatLinesHave checks the fields of queries about requests against
// the documented ones.
func queriesNameFieldsThatLinesHave(t *testing.T, s *synthesis) {
	doc, err := os.ReadFile("../shared/accesslog/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"msg": true, "level": true}
	for _, word := range regexp.MustCompile(`[a-zA-Z]+`).FindAllString(string(doc)+accessLog(), -1) {
		known[word] = true
	}
	language := regexp.MustCompile(`"[^"]*"|bin\(\w+\)|/[^/]*/|\b(filter|fields|stats|sort|limit|desc|count|latest|by|as|and|or|in|like|requests|last|type)\b|@\w+`)
	for _, id := range s.of("AWS::Logs::QueryDefinition") {
		text := language.ReplaceAllString(fmt.Sprint(s.Resources[id].at("QueryString")), " ")
		for _, field := range regexp.MustCompile(`[a-zA-Z]+`).FindAllString(text, -1) {
			if !known[field] {
				t.Errorf("%s: no line has a field %q", id, field)
			}
		}
	}
}
