package seed

import (
	"fmt"
	"strconv"
	"strings"
)

// country is the invented country of every federation made here.
const country = "Estavia"

// key is the prefix of every operator's key made here.
const key = "est"

var (
	townStems = strings.Fields(`Alder Arn Bel Brun Cald Čern Dor Drav Elm Ester Fal Fjel Gal Gris Hal Hol Ist Jar Jor Kal Kest Lim Lund Mar Mor Nar Nord Oder Ørn Ost Pel
		Prim Quill Rav Ros Sal Šar Sten Sund Tal Tor Ulm Ur Val Ver Vint Wald Wes Yar Zell`)
	townEndings = strings.Fields(`aberg adal afors agrad aholm akirk amark amünd anova aport asca astad avik avo eby efeld egaard elin enau enburg ensk erice eridge etta ezza
		ica ilje ingen inmere iška olm omar ona opol ora orf oux ovec umo ünde`)
	clubForms = []string{
		"FC %s", "%s United", "SV %s", "Sporting %s", "%s Rovers", "AC %s",
		"Union %s", "%s 1904", "Racing %s", "%s Athletic", "SK %s", "%s Wanderers",
	}
	regions = []string{
		"Northreach", "the Amber Coast", "the Highlands", "Westmoor", "the Lakes",
		"Sundermark", "the Isles", "Eastvale", "the Capital",
	}
	menFirst = strings.Fields(`Adan Aleksi Anders Andrej Ben Bram Caspar Cyril Damir Darius Davor Edvin Elias Emil Fabian Filip Gorm Gustav Henrik Ilja Ivo Jakob Janek
		Jonas Jörg Karel Kaspar Konrad Lars Leander Luka Marek Matteo Mikkel Milan Nils Noel Olaf Oskar Pavel Petr Rafael Rasmus Roman Samo Silas
		Stellan Tadeo Tomáš Viktor`)
	womenFirst = strings.Fields(`Ada Agnes Alba Alenka Anja Astrid Beata Birgit Carla Dagny Dana Elena Elin Emma Ester Flora Freja Greta Hana Helga Ida Ines Irma Jana
		Johanna Karin Klara Lara Lea Linnea Livia Maja Mara Marit Mila Nadia Nora Olga Petra Ragna Rosa Sanna Signe Sofia Tamar Thea Ursa Vera Wilma
		Žofie`)
	surnameStems = strings.Fields(`Ald Ambr Bal Ber Bjel Bor Bránd Cel Dal Dob Eck Erl Fenn Ferr Gant Gor Grön Hald Holl Hurt Ils Jass Kell Kov Krag Lan Lind Lör Mals Mir Nov
		Oks Pask Pett Rad Ren Rud Sand Šim Stav Tev Thor Ulv Vand Vik Vos Wern Yll Zar Zeman`)
	surnameEndings = strings.Fields(`ander ard arić ask berg eck ek elin en erud esen etti holt ić ila in ius mann nes off ovic ow quist rup sen sson stad ström um vik`)
)

// towns is the number of different towns. spread is coprime to it, and separates
// consecutive towns in the alphabet.
const (
	towns  = 50 * 40
	spread = 1103
)

// town returns the name of the n-th town; names repeat after 2,000.
func town(n int) string {
	n = n * spread % towns
	return townStems[n/len(townEndings)] + townEndings[n%len(townEndings)]
}

// clubName returns the name of the n-th club, and that of its town. Names of
// clubs are unique: after 24,000 a number is added.
func clubName(n int) (name, home string) {
	home = town(n)
	form := n / towns
	name = fmt.Sprintf(clubForms[(form+n%towns%7)%len(clubForms)], home)
	if again := form / len(clubForms); again > 0 {
		name += " " + strconv.Itoa(again+1)
	}
	return name, home
}

// regionName returns the name of the n-th association's region.
func regionName(n int) string {
	if n < len(regions) {
		return regions[n]
	}
	return "Greater " + town(n)
}

// person makes up a name.
func person(r *random, women bool) string {
	first := menFirst
	if women {
		first = womenFirst
	}
	return r.pick(first) + " " + r.pick(surnameStems) + r.pick(surnameEndings)
}
