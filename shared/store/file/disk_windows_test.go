package file

func limitFiles() {}
