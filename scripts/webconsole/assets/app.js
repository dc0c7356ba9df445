// What HTML cannot do by itself.
'use strict'
