# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Debian packages are installed where they are missing.

SONG     ?= Songs/groove.mid
FONT     ?= Soundfonts/Downbeat.sf2
PREFIX   ?= /usr/local
DESTDIR  ?=
OUT      ?= out
VERSION  := $(shell sed -n 's/.*text = "\(.*\)"/\1/p' Sources/PlayerControl/Version.swift)

# The time of everything that is packaged: that of the last commit, or of the tarball.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)

DATE      = $(shell date --utc --date=@$(SOURCE_DATE_EPOCH) +%F)

# Warnings are errors.
export DOWNBEAT_STRICT := 1

# Of `make fuzz`: the seed (another every time), and the rounds of each kind.
SEED     ?= $(shell date +%s)
TEXTS    ?= 1000000
SONGS    ?= 10000
EDITS    ?= 100000
FONTS    ?= 5000
DLS      ?= 20000
DOCUMENTS ?= 100000
SOUNDS   ?= 5000
BOXES    ?= 20000
MOVIES   ?= 100000
CONTAINERS ?= 100000
TRANSPORTS ?= 100000
SCHEDULES ?= 200000
CAFS     ?= 20000
SEGMENTS ?= 1000000
TAPES    ?= 10000
CALLS    ?= 1000000
LINKS    ?= 1000000
JOURNALS ?= 1000000
PARTNERS ?= 1000000
PACKETS  ?= 1000000
PAGES    ?= 100000
PLUGINS  ?= 200
BURSTS   ?= 10000
ENGINES  ?= 1000
MESSAGES ?= 1000000

# Packages of Python that speak the same as we do and share no code with us, each with its version.
PEERS    := $(addprefix .build/witnesses/bin/has-,aalink-0.2.3 python-osc-1.10.2 pymidi-0.5.0 \
              websockets-17.4 zeroconf-0.154.0)

LIBRARIES := libasound2-dev libfluidsynth-dev libsmf-dev zlib1g-dev libsndfile1 libsoxr0 libebur128-1 \
             libsystemd0 binutils pkg-config
WITNESSES := qemu-system-x86 busybox-static cpio kmod alsa-utils fluidsynth python3 python3-mido midicsv \
             groff-base zsh fish tmux python3-jsonschema libcairo2 playerctl dbus-daemon dbus-bin python3-dbus python3-gi \
             libsndfile1-dev libsoxr-dev libebur128-dev libsystemd-dev librubberband-dev libcurl4-openssl-dev \
             iproute2 libltc-dev cmark-gfm mandoc ffmpeg libavformat-dev libavcodec-dev libavutil-dev musepack-tools python3-venv liblo-tools curl tshark avahi-daemon libavahi-client-dev \
             libxslt1.1 libspeex1 libtheora0 openssl \
             libmysofa1 libmysofa-dev libopenal1 libopenal-data liblilv-dev lilv-utils mda-lv2 swh-lv2 x42-plugins lv2-examples calf-plugins \
             libjack-jackd2-dev jackd2 jack-midi-clock pipewire pipewire-bin pipewire-jack
PACKAGERS := appstream desktop-file-utils lintian mmdebstrap systemd
JUDGES    := python3-numpy libfluidsynth3 fluid-soundfont-gm timgm6mb-soundfont \
             liblilv-0-0 dragonfly-reverb-lv2 calf-plugins x42-plugins

# Suites under an emulated kernel, as many machines at once as there are cores: their time is counted
# in instructions, so that none disturbs another.
ON_KERNEL := ClockWireTests|LibraryPortTests|PortStreamTests|ALSADeviceTests|ALSAPlayTests|ALSASoundTests|ALSAQueueTests|ALSARoundTripTests|ALSALossTests|PlayPortTests|PlaySyncTests|RecordTests|SequencerTests|ReleaseTests|ClockSyncTests|SyncMeasureTests|MIDIKernelTests|LTCSyncTests|LinkChainTests

# Suites with sound servers of their own, which go by real time: one after another, when all else is done.
ON_SERVERS := SoundServer

# Not under a sanitizer: what runs the command, a process each, or the release in the emulator, what
# measures a process's memory or work, since the sanitizer's own would count, and what crashes on
# purpose, since the sanitizer takes the signal first.
UNSANITIZED := LV2CrashTests|one that crashes|GrowthTests|AudioKitTests|DeLisaTests|EndToEndTests|BoundTests|ReferenceReaderTests|$(ON_KERNEL)

# Without priorities of real time: a sanitizer makes rendering take longer than it lasts, and threads
# that come before all others would leave the tests no time to end.
UNHURRIED := prlimit --rtprio=0 $(if $(filter 0,$(shell id -u)),setpriv --bounding-set -sys_nice)

SWIFT_BUILD := .ci/swift-build
# What makes the program a fifth smaller: functions that are the same or that nobody calls are left
# out, nothing is exported but what FluidSynth is to find (Package.swift), relocations are packed
# where the loader can read them, and there is no index for exceptions of C++, of which none passes.
PACKED      := $(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | \
                 sort -CV && echo -Xlinker -z -Xlinker pack-relative-relocs)
SMALL       := -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker -s \
               -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --icf=all \
               -Xlinker --no-eh-frame-hdr $(PACKED)
# A program's number for debuggers names the commit, not the compiler's notes to itself.
BUILD_ID    := $(shell git rev-parse HEAD 2>/dev/null || cat .commit 2>/dev/null)
RELEASE     := $(SWIFT_BUILD) -c release -debug-info-format none --static-swift-stdlib $(SMALL) \
               -Xlinker --build-id=$(if $(BUILD_ID),0x$(BUILD_ID),none) --product
TOOL        := .build/release/downbeat
SMF_CHECK   := .build/release/downbeat-smf-check
MANUAL      := .build/release/downbeat-manual

.PHONY: help setup setup-test play build install install-files uninstall deb tarball program package-test systems lint \
        test test-suites test-kernel api-check test-long fuzz fidelity bench sanitize build-times docs pictures soundfont soundfont-sheet effect-curves songs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that a build needs
	@.ci/packages $(LIBRARIES)

setup-test: $(PEERS) .build/witnesses/icecast2
	@.ci/packages $(LIBRARIES) $(WITNESSES)

# A server of radio stations, unpacked and not installed: its package would begin it as a service.
.build/witnesses/icecast2:
	@mkdir -p $(@D); cd $(@D); if apt-get download --quiet --quiet icecast2; \
	then dpkg-deb --extract icecast2_*.deb $(@F); rm icecast2_*.deb; else echo "no icecast2: its tests are skipped"; fi

# Where no package comes from the network its tests are skipped, and the next time it is tried again.
$(PEERS): .build/witnesses/bin/has-%:
	@.ci/packages python3-venv
	@python3 -m venv .build/witnesses
	@peer='$*'; if $(@D)/pip install --quiet --disable-pip-version-check "$${peer%-*}==$${peer##*-}"; \
	then touch $@; else echo "no $$peer: its tests are skipped"; fi

build: setup ## build the command, release, static Swift runtime
	$(RELEASE) downbeat
	$(RELEASE) downbeat-smf-check
	$(RELEASE) downbeat-manual

play: setup ## play SONG=… with FONT=…; without a sound device, render it to a file
	@[ -x $(TOOL) ] || echo "building the command, which takes about 8 minutes on two cores" >&2
	$(RELEASE) downbeat
	@$(TOOL) play "$(SONG)" --soundfont "$(FONT)"; status=$$?; \
	if [ $$status -ne 69 ]; then exit $$status; fi; \
	mkdir -p "$(OUT)"; wav="$(OUT)/$$(basename "$(SONG)" .mid).wav"; \
	echo "no sound device here: rendering to $$wav instead" >&2; \
	$(TOOL) render "$(SONG)" --soundfont "$(FONT)" -o "$$wav" --overwrite && echo "wrote $$wav"

install: build ## install the command, its manual, songs and soundfont under PREFIX=/usr/local
	@$(MAKE) --no-print-directory install-files

DATA  = $(DESTDIR)$(PREFIX)/share
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/user
APPID = io.github.downbeat.downbeat

PROGRAMS = "$(DESTDIR)$(PREFIX)/bin/downbeat" "$(DESTDIR)$(PREFIX)/libexec/downbeat/downbeat-smf-check"

# What is built already. The compiler's notes to itself, by which it builds less the next time, are
# left out: they differ where the same commit was built twice, and nothing else does.
install-files:
	install -D -m 755 $(TOOL) "$(DESTDIR)$(PREFIX)/bin/downbeat"
	install -D -m 755 -t "$(DESTDIR)$(PREFIX)/libexec/downbeat" $(SMF_CHECK)
	for program in $(PROGRAMS); do objcopy --remove-section .swift_modhash "$$program" || exit; done
	install -D -m 644 -t "$(DATA)/downbeat/soundfonts" Soundfonts/Downbeat.sf2
	install -D -m 644 -t "$(DATA)/downbeat/songs" Songs/*.mid
	$(MANUAL) "$(OUT)/manual" "$(DATE)"
	install -D -m 644 -t "$(DATA)/man/man1" "$(OUT)"/manual/man1/*.1
	install -D -m 644 -t "$(DATA)/bash-completion/completions" "$(OUT)"/manual/bash/*
	install -D -m 644 -t "$(DATA)/zsh/site-functions" "$(OUT)"/manual/zsh/*
	install -D -m 644 -t "$(DATA)/fish/vendor_completions.d" "$(OUT)"/manual/fish/*
	install -D -m 644 -t "$(DATA)/applications" packaging/downbeat.desktop
	install -D -m 644 -t "$(DATA)/icons/hicolor/scalable/apps" packaging/downbeat.svg
	install -d "$(DATA)/metainfo" "$(UNITS)"
	sed "s|@VERSION@|$(VERSION)|; s|@DATE@|$(DATE)|" \
	  packaging/metainfo.xml.in > "$(DATA)/metainfo/$(APPID).metainfo.xml"
	for unit in synth clock@; do \
	  sed 's|@PREFIX@|$(PREFIX)|' "packaging/systemd/downbeat-$$unit.service.in" \
	    > "$(UNITS)/downbeat-$$unit.service" || exit; done

uninstall: ## take away what `make install` put under PREFIX
	rm -f "$(DESTDIR)$(PREFIX)/bin/downbeat"
	rm -rf "$(DATA)/downbeat" "$(DESTDIR)$(PREFIX)/libexec/downbeat"
	rm -f "$(DATA)"/man/man1/downbeat.1 "$(DATA)"/man/man1/downbeat-*.1 \
	  "$(DATA)/bash-completion/completions/downbeat" "$(DATA)/zsh/site-functions/_downbeat" \
	  "$(DATA)/fish/vendor_completions.d/downbeat.fish" "$(DATA)/applications/downbeat.desktop" \
	  "$(DATA)/icons/hicolor/scalable/apps/downbeat.svg" "$(DATA)/metainfo/$(APPID).metainfo.xml" \
	  "$(UNITS)/downbeat-synth.service" "$(UNITS)/downbeat-clock@.service"

deb: build ## make a Debian package of it in OUT=out
	@packaging/deb $(VERSION) "$(OUT)"

tarball: ## make a tarball of the last commit in OUT=out that builds without a network
	@packaging/tarball $(VERSION) "$(OUT)"

program: ## make a tarball of the program in OUT=out, for systems without a package
	@$(MAKE) --no-print-directory build PACKED=
	@packaging/program $(VERSION) "$(OUT)"

package-test: deb ## judge the package, and install, use and remove it in a fresh Debian (as root)
	@.ci/packages $(PACKAGERS)
	Tests/package-test "$(OUT)/downbeat_$(VERSION)_$$(dpkg --print-architecture).deb"

systems: deb ## use the package in fresh roots of Debian 12, 13 and unstable (as root, by hand): ROOTS=… keeps them
	@.ci/packages mmdebstrap ffmpeg python3
	Tests/systems "$(OUT)/downbeat_$(VERSION)_$$(dpkg --print-architecture).deb"

lint: ## check format, documentation and plain English
	swift format lint --strict --recursive Package.swift Sources Tests Compatibility Examples
	@command -v python3 > /dev/null || .ci/packages python3; Tests/plain-english.py

# Tests are built once, optimised as what users run, and the command with them; the lines of a trace
# are not worth the time that they take to write.
TESTS = -c release -Xswiftc -enable-testing -debug-info-format none --scratch-path .build-long
# A few at once: where all 1,900 begin together, each is late for what it waits for.
FEW   = --experimental-maximum-parallelization-width 6

test: lint test-suites test-kernel api-check ## format, build with warnings as errors, all tests (a real ALSA kernel included), declarations

test-suites: setup-test ## the tests that need no kernel of their own
	$(SWIFT_BUILD) $(TESTS) --build-tests
	swift test $(TESTS) --skip-build $(FEW) --skip '$(ON_KERNEL)' --skip '$(ON_SERVERS)'
	swift test $(TESTS) --skip-build --no-parallel --filter '$(ON_SERVERS)'

test-kernel: setup-test ## the tests under a real kernel with ALSA, in an emulator
	$(SWIFT_BUILD) $(TESTS) --build-tests
	swift test $(TESTS) --skip-build --filter '$(ON_KERNEL)'

LAST_TAG = $(shell git describe --tags --abbrev=0 2>/dev/null)

api-check: setup ## compare the public declarations with those of the last tag
	@if [ -z "$(LAST_TAG)" ]; then echo "api-check: there is no tag to compare with"; else \
	  swift package diagnose-api-breaking-changes "$(LAST_TAG)"; fi

test-long: setup-test ## what takes longer: every frame of a day at every rate, big fuzz, long runs
	swift build $(TESTS) --build-tests
	DOWNBEAT_LONG=1 swift test $(TESTS) --skip-build --no-parallel
	swift test -c release -Xswiftc -enable-testing --scratch-path .build-soundfont \
	  --package-path Soundfonts/Generator

fuzz: setup-test ## attack with mutated input: SEED=… TEXTS=… SONGS=… EDITS=… FONTS=… DLS=… DOCUMENTS=… SOUNDS=… SEGMENTS=… TAPES=… CALLS=… LINKS=… JOURNALS=… PARTNERS=… PACKETS=… PAGES=… PLUGINS=… BURSTS=… ENGINES=… BOXES=… CAFS=… MOVIES=… CONTAINERS=… TRANSPORTS=… SCHEDULES=… MESSAGES=…
	swift build $(TESTS) --build-tests
	@status=0; for run in texts:$(TEXTS) lists:$(TEXTS) lyrics:$(TEXTS) songs:$(SONGS) wrappers:$(SONGS) \
	  edits:$(EDITS) fonts:$(FONTS) voices:$(FONTS) compressed:$(FONTS) dls:$(DLS) documents:$(DOCUMENTS) messages:$(MESSAGES) levels:$(MESSAGES) sounds:$(SOUNDS) boxes:$(BOXES) cafs:$(CAFS) movies:$(MOVIES) oggs:$(CONTAINERS) flacs:$(CONTAINERS) pcms:$(CONTAINERS) transports:$(TRANSPORTS) schedules:$(SCHEDULES) segments:$(SEGMENTS) requests:$(TEXTS) \
	  tapes:$(TAPES) calls:$(CALLS) clocks:$(CALLS) graphs:$(CALLS) filecalls:$(CALLS) convertercalls:$(CALLS) queuecalls:$(CALLS) enginecalls:$(ENGINES) links:$(LINKS) \
	  journals:$(JOURNALS) partners:$(PARTNERS) packets:$(PACKETS) addresses:$(PACKETS) \
	  pages:$(PAGES) plugins:$(PLUGINS) bursts:$(BURSTS); do \
	  .build-long/release/downbeat-fuzz $${run%:*} $${run#*:} $(SEED) "$(OUT)/fuzz" || status=1; \
	done; exit $$status

docs: build ## build manual pages, documents and the library's pages as one site in OUT=out; check links and commands
	@.ci/packages cmark-gfm mandoc python3
	$(MANUAL) "$(OUT)/manual" "$(DATE)"
	Documentation/site.py --build .build/release --manual "$(OUT)/manual/man1" --output "$(OUT)/docs"

pictures: build ## make the pictures of README.md and Documentation/Pictures.md anew
	@.ci/packages tmux libcairo2; Documentation/pictures.py .build/release/downbeat

fidelity: build ## play tests of others and compare what sounds with what is wanted
	python3 Benchmarks/Fidelity/fidelity.py

bench: build ## time Downbeat beside its peers
	Benchmarks/run

build-times: setup ## build the command from nothing and print what each module costs
	Benchmarks/build-times $(RELEASE) downbeat

# The real-time sanitizer's runtime, which Swift's driver does not link by itself.
RTSAN = $(shell $(dir $(shell command -v swift))clang -print-resource-dir)/lib/linux/libclang_rt.rtsan-$(shell uname -m).a

# The voices' C, which reads samples without bounds of its own, under both sanitizers for C.
CLANG        = $(dir $(shell command -v swift))clang
VOICE_SEEDS ?= 1 2 3 4 5 6 7 8 9 10
VOICE_ROUNDS ?= 2000

.build-voices/attack: $(wildcard Sources/CSoundFontVoices/*.[ch] Sources/CSoundFontVoices/include/*.h) Tests/c-voices/attack.c
	@mkdir -p $(@D)
	$(CLANG) -O1 -g -std=gnu11 -Wall -Werror -ffp-contract=off -fuse-ld=lld -fsanitize=address,undefined \
	  -fno-sanitize-recover=all -ISources/CSoundFontVoices/include $(filter %.c,$^) -lm -o $@

.PHONY: sanitize-voices
sanitize-voices: .build-voices/attack ## run the voices' C under the address and undefined-behaviour sanitizers
	@for seed in $(VOICE_SEEDS); do $< $(VOICE_ROUNDS) $$seed || exit; done

# Not under XCTest, which has no test here and leaks.
sanitize: setup-test sanitize-voices ## run the tests under sanitizers: real-time (render thread), thread, address; the voices' C too
	RTSAN_OPTIONS=suppressions=$(CURDIR)/Tests/realtime.txt \
	swift test -c release -Xswiftc -enable-testing --disable-xctest --scratch-path .build-rtsan \
	  --filter '^(AudioProcessing|SoundFontInstruments)Tests\..*AllocationTests|^JACKAudioTests\.JACKTests.*allocate' \
	  -Xlinker --whole-archive -Xlinker $(RTSAN) -Xlinker --no-whole-archive
	$(UNHURRIED) swift test -c release -Xswiftc -enable-testing --disable-xctest --sanitize=thread \
	  --scratch-path .build-tsan $(FEW) --skip '$(UNSANITIZED)'
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt:print_suppressions=0 \
	$(UNHURRIED) swift test -c release -Xswiftc -enable-testing --disable-xctest --sanitize=address \
	  --scratch-path .build-asan $(FEW) --skip '$(UNSANITIZED)'

soundfont: ## make Soundfonts/Downbeat.sf2 anew, byte for byte
	swift run -c release --package-path Soundfonts/Generator downbeat-soundfont Soundfonts/Downbeat.sf2

soundfont-sheet: ## measure the soundfont beside two others and draw its contact sheet
	@.ci/packages $(JUDGES)
	Benchmarks/Soundfont/measure.py Soundfonts/Downbeat.sf2 --document Documentation/Soundfont.md \
	  --beside /usr/share/sounds/sf2/FluidR3_GM.sf2 /usr/share/sounds/sf2/TimGM6mb.sf2
	Benchmarks/Soundfont/sheet.py Soundfonts/Downbeat.sf2 Documentation/Soundfont.png

effect-curves: ## measure the effects beside known good plug-ins and draw their curves
	@.ci/packages $(JUDGES)
	swift build -c release --package-path Benchmarks --product EffectBenchmark
	Benchmarks/Effects/measure.py Benchmarks/.build/release/EffectBenchmark --into Documentation \
	  --font Soundfonts/Downbeat.sf2

songs: build ## make Songs/*.mid anew from their sources, byte for byte
	@for score in Songs/*.score; do \
	  $(TOOL) new "$$score" -o "$${score%.score}.mid" --overwrite || exit; done

clean: ## remove everything that was built
	rm -rf .build .build-* Soundfonts/Generator/.build Benchmarks/.build $(OUT)
