package ingest

// TimeIsUp is why the context of an invocation ends before its deadline.
var TimeIsUp = errTime
