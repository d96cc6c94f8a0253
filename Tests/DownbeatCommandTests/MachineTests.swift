// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import Downbeat
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import DownbeatCommand
@testable import PlayerControl

/// The findings of the doctor on simulated machines, with and without the problem.
@Suite struct MachineTests {
  private let tree: ScratchFolder

  init() throws { tree = try ScratchFolder() }

  private func put(_ path: String, _ text: String = "") throws {
    let file = tree.url.appendingPathComponent(String(path.dropFirst()))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func machine(_ variables: [String: String] = [:]) -> Machine {
    let environment = variables.merging(["HOME": tree.path("home")]) { given, _ in given }
    return Machine(
      root: tree.url.path, environment: environment, userID: 1000,
      soundFonts: SoundFontDiscovery(
        environment: environment, executable: "/usr/bin/downbeat", root: tree.url.path,
        libraryDefault: { nil }))
  }

  /// Returns the finding with a name.
  private func finding(_ name: String, _ machine: Machine) throws -> Finding {
    try #require(Checkup(machine).findings.first { $0.name == name }, "\(name) is missing")
  }

  private func kernel(_ modules: String) throws {
    try put("/proc/sys/kernel/osrelease", "6.1.0\n")
    try put("/lib/modules/6.1.0/modules.dep", modules)
  }

  private static let card =
    " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n   HDA Intel PCH at 0x0\n"
  private static let user = ["XDG_RUNTIME_DIR": "/run/user/1000"]

  // MARK: Sound

  @Test func `an empty machine is checked, and cannot play`() throws {
    let checkup = Checkup(machine())
    #expect(checkup.status == .noDevice)
    #expect(checkup.findings.count > 15)
    #expect(checkup.findings.allSatisfy { !$0.why.isEmpty && !$0.found.isEmpty })
    for finding in checkup.findings { #expect(finding.why.hasSuffix("."), "\(finding.name)") }
  }

  @Test func `a card is named, and without a card the kernel or its driver is`() throws {
    #expect(try finding("cards", machine()).found == "none")
    try kernel("kernel/sound/soundcore.ko.xz:\n")
    let bare = try finding("cards", machine())
    #expect(bare.verdict == .warning && bare.found.contains("sound drivers are not in this kernel"))
    #expect(bare.fixes == ["sudo apt install linux-image-$(dpkg --print-architecture)"])
    try kernel("kernel/sound/core/snd.ko.xz:\nkernel/sound/core/snd-pcm.ko.xz:\n")
    try put("/sys/bus/pci/devices/0000:00:1f.3/class", "0x040300\n")
    #expect(try finding("cards", machine()).fixes == ["sudo modprobe snd-hda-intel"])
    try put("/proc/asound/cards", "--- no soundcards ---\n")
    #expect(try finding("cards", machine()).verdict == .warning)
    try put("/proc/asound/cards", Self.card)
    let found = try finding("cards", machine())
    #expect(found.verdict == .ok && found.found == "HDA Intel PCH")
  }

  @Test func `a user without access to the card gets the necessary commands`() throws {
    try put("/proc/asound/cards", Self.card)
    #expect(try finding("card access", machine()).found.contains("container"))
    try put("/dev/snd/pcmC0D0p")
    #expect(try finding("card access", machine()).verdict == .ok)
    try put("/etc/group", "root:x:0:\naudio:x:29:ann\n")
    var shut = machine(["USER": "bob"])
    shut.mayOpen = { _ in false }
    #expect(try finding("card access", shut).fixes == [#"sudo usermod -aG audio "$USER""#])
    shut.environment["USER"] = "ann"
    #expect(try finding("card access", shut).fixes == ["newgrp audio"])
    shut.groups = [29]
    #expect(try finding("card access", shut).fixes.isEmpty)
  }

  @Test func `the inputs are listed`() throws {
    #expect(try finding("inputs", machine()).found == "none")
    var machine = machine()
    machine.inputs = ["hw:CARD=PCH,DEV=0 (2 channels, 44100…96000 Hz)", "hw:CARD=Mic (busy)"]
    let found = try finding("inputs", machine)
    #expect(found.verdict == .ok)
    #expect(found.found == "hw:CARD=PCH,DEV=0 (2 channels, 44100…96000 Hz), hw:CARD=Mic (busy)")
  }

  @Test func `servers are known by their sockets`() throws {
    var machine = machine(Self.user)
    machine.answers = { $0 == "/run/user/1000/pipewire-0" }
    #expect(try finding("servers", machine).found == "PipeWire (/run/user/1000/pipewire-0)")
    machine.answers = { $0 == "/run/user/1000/pulse/native" }
    #expect(try finding("servers", machine).found.hasPrefix("PulseAudio"))
    machine.answers = { $0.hasSuffix("/dev/shm/jack_default_1000_0") }
    #expect(try finding("servers", machine).found.hasPrefix("JACK"))
    machine.answers = { _ in false }
    #expect(try finding("servers", machine).found == "none")
  }

  @Test func `a default device that uses a server needs the server`() throws {
    var machine = machine(Self.user)
    machine.route = ["pipewire"]
    machine.answers = { $0 == "/run/user/1000/pipewire-0" }
    #expect(try finding("default device", machine).found == "PipeWire: opens")
    machine.answers = { _ in false }
    machine.tryDevice = {
      Issue.record("opening it would start the server")
      return .opens
    }
    let gone = try finding("default device", machine)
    #expect(gone.verdict == .problem && gone.status == .noDevice)
    #expect(gone.fixes == ["systemctl --user start pipewire.socket wireplumber.service"])
    machine.environment["XDG_RUNTIME_DIR"] = nil
    #expect(
      try finding("default device", machine).fixes
        == ["export XDG_RUNTIME_DIR=/run/user/$(id -u)"])
  }

  @Test func `a server without usable output is reported, with the reason`() throws {
    var machine = machine(Self.user)
    machine.answers = { $0.hasSuffix("/dev/shm/jack_default_1000_0") }
    machine.heardServer.reason = "JACK: the server does not answer"
    let found = try finding("default device", machine)
    #expect(
      found.status == .noDevice && found.found.hasSuffix("; JACK: the server does not answer"))
  }

  @Test func `a default device that uses a card needs the card`() throws {
    var machine = machine(Self.user)
    machine.answers = { _ in false }
    machine.route = ["plug", "dmix", "hw"]
    #expect(try finding("default device", machine).status == .noDevice)
    try put("/proc/asound/cards", Self.card)
    #expect(try finding("default device", machine).found == "plug → dmix → hw: opens")
    machine.answers = { $0 == "/run/user/1000/pipewire-0" }
    let past = try finding("default device", machine)
    #expect(past.verdict == .warning && past.fixes == ["sudo apt install pipewire-alsa"])
  }

  @Test func `a device that does not open is reported with the reason`() throws {
    try put("/proc/asound/cards", Self.card)
    var machine = machine()
    machine.route = ["hw"]
    machine.tryDevice = { .refused(.busy("default")) }
    #expect(try finding("default device", machine).fixes == ["fuser -v /dev/snd/*"])
    machine.tryDevice = { .refused(.notPermitted("default")) }
    #expect(Checkup(machine).status == .noPermission)
    machine.tryDevice = {
      .refused(.noSuchDevice("default", candidates: ["null", "plughw:CARD=Box,DEV=0"]))
    }
    #expect(
      try finding("default device", machine).fixes
        == [#"echo 'pcm.!default "plughw:CARD=Box,DEV=0"' >> ~/.asoundrc"#])
    machine.tryDevice = { .silent }
    #expect(try finding("default device", machine).found.contains("no answer"))
    machine.tryDevice = { .opens }
    machine.route = ["null"]
    #expect(try finding("default device", machine).verdict == .warning)
  }

  // MARK: Soundfonts and libraries

  @Test func `a soundfont is found or missing`() throws {
    var machine = machine(["SOUND_FONT": "/nowhere.sf2"])
    let none = try finding("plays with", machine)
    #expect(none.verdict == .problem && none.status == .noSoundFont)
    #expect(none.fixes == ["sudo apt install fluid-soundfont-gm"])
    #expect(try finding("named font", machine).found.hasPrefix("/nowhere.sf2: missing"))
    machine.route = ["plug", "null"]
    #expect(Checkup(machine).status == .noSoundFont)
    _ = try put("/usr/share/sounds/sf2/x", "")
    try Data(TinySoundFont.bytes).write(
      to: URL(fileURLWithPath: tree.path("usr/share/sounds/sf2/default.sf2")))
    #expect(try finding("plays with", machine).verdict == .ok)
    #expect(try finding("installed", machine).found == "1: default.sf2")
    #expect(Checkup(machine).status == .success)
  }

  @Test func `several soundfonts are listed, and one that is missing is reported`() throws {
    for name in ["a.sf2", "b.sf2"] {
      try Data(TinySoundFont.bytes).write(to: URL(fileURLWithPath: tree.path(name)))
    }
    let (a, b) = (tree.path("a.sf2"), tree.path("b.sf2"))
    let machine = machine(["SOUND_FONT": "\(a):/nowhere.sf2:\(b),bank=1"])
    #expect(try finding("plays with", machine).found == "\(a), \(b),bank=1 ($SOUND_FONT)")
    #expect(try finding("named font", machine).found.hasPrefix("/nowhere.sf2: missing"))
  }

  @Test func `a library has a version, or a command that installs it`() throws {
    var machine = machine()
    machine.libraries = [("libasound", "1.2.8"), ("libfluidsynth", nil), ("libsoxr", nil)]
    #expect(try finding("libasound", machine).found == "1.2.8")
    #expect(try finding("libfluidsynth", machine).verdict == .warning)
    #expect(try finding("libsoxr", machine).verdict == .warning)
    let systems = [
      "ID=debian": "sudo apt install libsoxr0", "ID=fedora": "sudo dnf install soxr",
      "ID=manjaro\nID_LIKE=arch": "sudo pacman -S libsoxr",
      "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"": "sudo zypper install libsoxr0",
      "ID=mint\nID_LIKE='ubuntu debian'": "sudo apt install libsoxr0",
    ]
    for (system, fix) in systems {
      try put("/etc/os-release", "NAME=\"x fedora\"\n\(system)\n")
      #expect(try finding("libsoxr", machine).fixes == [fix], "\(system)")
    }
  }

  @Test func `FFmpeg is missing, not supported, or lacks codecs`() throws {
    var machine = machine()
    machine.libraries = [("FFmpeg", nil)]
    #expect(try finding("FFmpeg", machine).found == "not installed")
    #expect(try finding("FFmpeg", machine).fixes == ["sudo apt install ffmpeg"])
    machine.unsupportedFFmpeg = "3.4.8"
    let old = try finding("FFmpeg", machine)
    #expect(old.found.hasPrefix("3.4.8: not supported (supported: 4.4 to "))
    #expect(old.verdict == .warning)
    #expect(old.fixes == ["sudo apt install ffmpeg"])
    (machine.libraries, machine.unsupportedFFmpeg) = ([("FFmpeg", "7.1")], nil)
    #expect(try finding("FFmpeg", machine).verdict == .ok)
    machine.missingCodecs = ["AAC", "HE-AAC"]
    #expect(try finding("FFmpeg", machine).found == "7.1, without AAC, HE-AAC")
    #expect(try finding("FFmpeg", machine).verdict == .warning)
  }

  // MARK: Sequencer and timers

  @Test func `the daemon that finds sessions by name is named`() throws {
    var machine = machine()
    machine.answers = { _ in false }
    let none = try finding("session names", machine)
    #expect(none.verdict == .ok && none.found.contains("rtp:NAME does not"))
    machine.answers = { $0.hasSuffix("/run/avahi-daemon/socket") }
    #expect(try finding("session names", machine).found == "Avahi finds rtp:NAME")
  }

  @Test func `the sequencer is missing, inaccessible, or open`() throws {
    #expect(try finding("sequencer", machine()).fixes == ["sudo modprobe snd-seq"])
    try kernel("kernel/sound/core/snd.ko.xz:\n")
    #expect(try finding("sequencer", machine()).found == "not in this kernel")
    try put("/dev/snd/seq")
    #expect(try finding("sequencer", machine()).found.hasSuffix("loaded on first use"))
    try put("/proc/asound/seq/clients", "Client info\n  cur  clients : 4\n  peak clients : 5\n")
    #expect(try finding("sequencer", machine()).found == "snd-seq, 4 clients")
    #expect(try finding("access", machine()).verdict == .ok)
    var shut = machine()
    shut.mayOpen = { !$0.hasSuffix("/dev/snd/seq") }
    #expect(try finding("access", shut).fixes == [#"sudo usermod -aG audio "$USER""#])
  }

  @Test func `the event timer has high resolution, or is the system timer`() throws {
    try put("/boot/config-6.1.0", "CONFIG_HZ_250=y\nCONFIG_HZ=250\n")
    #expect(try finding("event timer", machine()).fixes == ["sudo modprobe snd-hrtimer"])
    try kernel("kernel/sound/core/snd.ko.xz:\n")
    let coarse = try finding("event timer", machine())
    #expect(coarse.verdict == .warning && coarse.found.contains("250 ticks a second"))
    try kernel("kernel/sound/core/snd-hrtimer.ko.xz:\n")
    #expect(try finding("event timer", machine()).found.hasSuffix("loaded on first use"))
    try put("/proc/asound/timers", "G0: system timer : 4000.000us\nG3: HR timer : 0.001us\n")
    #expect(try finding("event timer", machine()).found == "high resolution (snd-hrtimer)")
  }

  @Test func `a slow clock source is reported`() throws {
    let folder = "/sys/devices/system/clocksource/clocksource0"
    #expect(try finding("clock source", machine()).verdict == .ok)
    try put("\(folder)/current_clocksource", "tsc\n")
    #expect(try finding("clock source", machine()).found == "tsc")
    try put("\(folder)/current_clocksource", "hpet\n")
    #expect(try finding("clock source", machine()).fixes.isEmpty)
    try put("\(folder)/available_clocksource", "tsc hpet acpi_pm \n")
    let slow = try finding("clock source", machine())
    #expect(slow.verdict == .warning && slow.fixes.first?.hasPrefix("echo tsc") == true)
  }

  // MARK: Real time

  @Test func `limits of the process are reported`() throws {
    for name in ["priority", "run time", "memory lock"] {
      #expect(try finding(name, machine()).verdict == .ok)
    }
    var tight = machine()
    tight.limits = .init(grantsPriority: false, runTime: 200_000, lockedMemory: 8 << 20)
    #expect(try finding("run time", tight).found == "limited to 200 ms")
    #expect(try finding("memory lock", tight).found.hasPrefix("8 MiB"))
    let priority = try finding("priority", tight)
    #expect(priority.verdict == .warning && priority.fixes[0].contains("rtprio 95"))
    // One command raises both limits, and is listed once.
    let fixes = Checkup(tight).fixes
    #expect(fixes.count { $0.contains("rtprio") } == 1)
    #expect(Set(fixes).count == fixes.count)
  }

  @Test func `rtkit runs, starts on demand, or is missing although a server needs it`() throws {
    var machine = machine(Self.user)
    machine.answers = { _ in false }
    #expect(try finding("rtkit", machine).verdict == .ok)
    machine.answers = { $0 == "/run/user/1000/pipewire-0" }
    #expect(try finding("rtkit", machine).fixes == ["sudo apt install rtkit"])
    try put("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service")
    #expect(try finding("rtkit", machine).found.contains("no system bus"))
    machine.answers = { _ in true }
    #expect(try finding("rtkit", machine).found == "starts on demand")
    try put("/proc/77/comm", "rtkit-daemon\n")
    #expect(try finding("rtkit", machine).found == "running")
  }

  @Test func `a governor that saves power is reported if it is slow`() throws {
    let folder = "/sys/devices/system/cpu"
    #expect(try finding("governor", machine()).found == "unknown")
    try put("\(folder)/cpu0/cpufreq/scaling_governor", "performance\n")
    #expect(try finding("governor", machine()).verdict == .ok)
    try put("\(folder)/cpu1/cpufreq/scaling_governor", "powersave\n")
    let slow = try finding("governor", machine())
    #expect(slow.found == "performance, powersave")
    #expect(slow.fixes == ["sudo cpupower frequency-set -g performance"])
    try put("\(folder)/cpu0/cpufreq/scaling_driver", "intel_pstate\n")
    #expect(try finding("governor", machine()).verdict == .ok)
  }

  @Test func `the preemption model is reported`() throws {
    #expect(try finding("preemption", machine()).found == "unknown")
    try put("/proc/version", "Linux version 6.1.0 #1 SMP PREEMPT_DYNAMIC Debian\n")
    try put("/proc/cmdline", "quiet threadirqs\n")
    #expect(try finding("preemption", machine()).found == "PREEMPT_DYNAMIC, threadirqs")
    try put("/sys/kernel/realtime", "1\n")
    #expect(try finding("preemption", machine()).found.hasPrefix("PREEMPT_RT"))
  }

  // MARK: Terminal

  @Test func `the terminal, its characters and its colours`() throws {
    var machine = machine()
    #expect(try finding("terminal", machine).found == "output is not a terminal")
    machine.columns = 80
    #expect(try finding("terminal", machine).fixes == ["export TERM=xterm-256color"])
    machine.environment["TERM"] = "xterm-256color"
    #expect(try finding("terminal", machine).found == "xterm-256color, 80 columns")
    #expect(try finding("colours", machine).found == "256")
    machine.columns = 20
    #expect(try finding("terminal", machine).verdict == .warning)
    machine.environment["NO_COLOR"] = "1"
    #expect(try finding("colours", machine).found.hasPrefix("off (NO_COLOR)"))
    #expect(try finding("characters", machine).fixes == ["export LC_ALL=C.UTF-8"])
    machine.environment["LANG"] = "de_DE.UTF-8"
    #expect(try finding("characters", machine).verdict == .ok)
    machine.environment["LC_ALL"] = "C"
    #expect(try finding("characters", machine).verdict == .warning)
  }

  // MARK: Files that cannot be read

  @Test func `files that are folders, empty or binary do not stop the check`() throws {
    for path in ["/proc/asound/cards", "/proc/version", "/etc/group", "/etc/os-release"] {
      try put("\(path)/x")
    }
    try put("/proc/sys/kernel/osrelease")
    try put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    try put("/proc/asound/timers", "\u{0}\u{7}")
    #expect(Checkup(machine()).findings.count > 15)
  }
}
