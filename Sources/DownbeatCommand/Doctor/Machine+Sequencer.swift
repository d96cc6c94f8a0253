// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools
internal import SystemPackages

/// The checks on the ALSA sequencer, and on the timer of its events.
extension Machine {
  private static let node = "/dev/snd/seq"

  var sequencerFindings: [Finding] {
    (isThere(Self.node) ? [presentSequencer, sequencerAccess] : [absentSequencer]) + [sessionNames]
  }

  /// The daemon that finds MIDI sessions on the network by name.
  private var sessionNames: Finding {
    .ok(
      "session names",
      answers("\(root)/run/avahi-daemon/socket")
        ? "Avahi finds rtp:NAME" : "no Avahi daemon: rtp:HOST:PORT works, rtp:NAME does not",
      why: "Only the names of MIDI sessions on the network need Avahi.")
  }

  private static let sequencerReason = "Needed for MIDI ports and clocks, not for the synthesiser."

  private var absentSequencer: Finding {
    let isLacking = hasModule("snd-seq") == false
    return .warning(
      "sequencer", isLacking ? "not in this kernel" : "\(Self.node) is missing",
      why: Self.sequencerReason,
      fixes: [isLacking ? installing(.kernel) : "sudo modprobe snd-seq"])
  }

  private var presentSequencer: Finding {
    let clients = (text(of: "/proc/asound/seq/clients") ?? "").split(whereSeparator: \.isNewline)
      .first { $0.contains("cur") && $0.contains("clients") }
      .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    let isLoaded = clients != nil || isThere("/sys/module/snd_seq")
    let found = clients.map { "snd-seq, \($0.counted("client"))" } ?? "snd-seq"
    return .ok(
      "sequencer", isLoaded ? found : "\(found), loaded on first use",
      why: Self.sequencerReason)
  }

  private var sequencerAccess: Finding {
    let why = "Only the group audio and the user at the machine may open the sequencer."
    if mayOpen(root + Self.node) {
      return .ok("access", "this user may open \(Self.node)", why: why)
    }
    return .warning(
      "access", "this user may not open \(Self.node) (join audio\(joiningWords))", why: why,
      fixes: joiningAudio)
  }

  var timerFindings: [Finding] { [eventTimer, clockSource] }

  private var eventTimer: Finding {
    let why = "MIDI events are sent at ticks of this timer."
    let fine = "high resolution (snd-hrtimer)"
    if isThere("/sys/module/snd_hrtimer")
      || text(of: "/proc/asound/timers")?.contains("HR timer") == true
    {
      return .ok("event timer", fine, why: why)
    }
    let ticks = kernelTicks.map { ", \($0) ticks a second" } ?? ""
    switch hasModule("snd-hrtimer") {
    case true: return .ok("event timer", "\(fine), loaded on first use", why: why)
    case false:
      return .warning(
        "event timer", "system timer\(ticks): snd-hrtimer is not in this kernel", why: why,
        fixes: [installing(.kernel)])
    case nil:
      return .warning(
        "event timer", "system timer\(ticks): snd-hrtimer is not loaded", why: why,
        fixes: ["sudo modprobe snd-hrtimer"])
    }
  }

  /// The ticks of the system timer per second; nil if the kernel's configuration cannot be read.
  private var kernelTicks: Int? {
    let release = line(of: "/proc/sys/kernel/osrelease") ?? ""
    let configuration = text(of: "/proc/config.gz") ?? text(of: "/boot/config-\(release)") ?? ""
    return configuration.split(whereSeparator: \.isNewline).first { $0.hasPrefix("CONFIG_HZ=") }
      .flatMap { Int($0.dropFirst("CONFIG_HZ=".count)) }
  }

  private var clockSource: Finding {
    let why = "Downbeat reads the time thousands of times a second."
    let folder = "/sys/devices/system/clocksource/clocksource0"
    guard let source = line(of: "\(folder)/current_clocksource") else {
      return .ok("clock source", "unknown", why: why)
    }
    guard ["hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies"].contains(source) else {
      return .ok("clock source", source, why: why)
    }
    let others = line(of: "\(folder)/available_clocksource") ?? ""
    let hasBetter = others.split(separator: " ").contains("tsc")
    return .warning(
      "clock source", "\(source), slow to read", why: why,
      fixes: hasBetter ? ["echo tsc | sudo tee \(folder)/current_clocksource"] : [])
  }
}
