package doctor

import "syscall"

// unsynchronized is the bit of the kernel's clock that a time service takes away
// (adjtimex(2), STA_UNSYNC).
const unsynchronized = 0x40

func clockSynchronized() (bool, error) {
	var t syscall.Timex
	if _, err := syscall.Adjtimex(&t); err != nil {
		return false, err
	}
	return t.Status&unsynchronized == 0, nil
}
