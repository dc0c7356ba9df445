package main

// tells gives a function that loads the right to publish to the topic of loads, if
// there is one.
func (s *stage) tells(rights map[string][]statement) map[string][]statement {
	if arn := s.settings.LoadsTopic; arn != "" {
		rights["topic"] = []statement{{allow: []string{"sns:Publish"}, on: []string{arn}}}
	}
	return rights
}
