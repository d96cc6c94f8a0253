// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CommandKit
internal import SoundTools
internal import SystemPackages

/// The checks on sound cards, servers and the default device.
extension Machine {
  var soundFindings: [Finding] {
    [cardFinding] + (cards.isEmpty ? [] : [cardAccess])
      + [serverFinding, deviceFinding, inputFinding]
  }

  private var servers: [SoundServer] {
    SoundServer.all(on: self).filter { $0.sockets.contains(where: answers) }
  }

  /// The names of the sound cards.
  private var cards: [String] {
    // The first line of each card has the form ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`.
    (text(of: "/proc/asound/cards") ?? "").split(whereSeparator: \.isNewline).compactMap { line in
      guard line.contains("]: "), let dash = line.firstRange(of: " - ") else { return nil }
      return String(line[dash.upperBound...])
    }
  }

  private var cardFinding: Finding {
    let why = "Playback needs a sound card, directly or in a sound server. Rendering needs none."
    guard cards.isEmpty else { return .ok("cards", cards.joined(separator: ", "), why: why) }
    if hasModule("snd") == false || hasModule("snd-pcm") == false {
      return .warning(
        "cards", "none: sound drivers are not in this kernel", why: why,
        fixes: [installing(.kernel)])
    }
    let fixes = hasIdleHardware ? ["sudo modprobe snd-hda-intel"] : []
    return servers.isEmpty
      ? .warning("cards", "none", why: why, fixes: fixes) : .ok("cards", "none", why: why)
  }

  /// True if a sound device on the PCI bus is not used by a driver.
  private var hasIdleHardware: Bool {
    let bus = "/sys/bus/pci/devices"
    return names(in: bus).contains { device in
      line(of: "\(bus)/\(device)/class")?.hasPrefix("0x0403") == true
        && !isThere("\(bus)/\(device)/driver")
    }
  }

  private var cardAccess: Finding {
    let why =
      "Without a sound server, downbeat opens the card; this user must be in the group audio."
    let nodes = names(in: "/dev/snd").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
    guard !nodes.isEmpty else {
      return .warning(
        "card access", "/dev/snd/pcm… is missing (in a container: add --device /dev/snd)",
        why: why)
    }
    if nodes.contains(where: { mayOpen("\(root)/dev/snd/\($0)") }) {
      return .ok("card access", "this user may open it", why: why)
    }
    return .warning(
      "card access", "this user may not open /dev/snd/\(nodes[0]) (join audio\(joiningWords))",
      why: why, fixes: joiningAudio)
  }

  private var serverFinding: Finding {
    let why = "A sound server lets several programs share a sound card."
    let found = servers.map { server in
      "\(server.name) (\(server.sockets.first(where: answers) ?? ""))"
    }
    let words = found.isEmpty ? "none" : found.joined(separator: ", ")
    // Without PipeWire's JACK library, PipeWire can be used through its ALSA plug-in.
    if heardServer.name == nil, heardServer.isLibraryMissing {
      return .ok("servers", "\(words); \(heardServer.reason)", why: why)
    }
    return .ok("servers", words, why: why)
  }
}

/// The inputs to record from.
extension Machine {
  private var inputFinding: Finding {
    .ok(
      "inputs", inputs.isEmpty ? "none" : inputs.joined(separator: ", "),
      why: "Recording and --input need a microphone, a line input or a sound server.")
  }
}

/// The check on the default device.
extension Machine {
  private static let deviceName = "default device"
  private static let deviceReason =
    "Songs play on JACK or PipeWire if running, else on ALSA's default, or --audio NAME."

  private var deviceFinding: Finding {
    let (name, why) = (Self.deviceName, Self.deviceReason)
    if let server = heardServer.name {
      return .ok(name, "\(server), through the JACK interface", why: why)
    }
    if let server = SoundServer.all(on: self).first(where: { $0.kind == route.last }),
      !server.sockets.contains(where: answers)
    {
      let hasSession = variable("XDG_RUNTIME_DIR") != nil
      return .problem(
        .noDevice, name,
        "uses \(server.name), which \(hasSession ? "is not running" : "needs XDG_RUNTIME_DIR")",
        why: why,
        fixes: [hasSession ? server.start : "export XDG_RUNTIME_DIR=/run/user/$(id -u)"])
    }
    if route.isEmpty || route.last == "hw", cards.isEmpty {
      let mayBeHeard = servers.contains { $0.kind != "pulse" } && !heardServer.reason.isEmpty
      let reason = mayBeHeard ? "; \(heardServer.reason)" : ""
      return .problem(
        .noDevice, name,
        "none (to write a sound file: downbeat render; to play silently: --audio null)\(reason)",
        why: why)
    }
    return triedDevice(name, why)
  }

  private func triedDevice(_ name: String, _ why: String) -> Finding {
    switch tryDevice() {
    case .opens: return openingDevice(name, why)
    case .silent:
      return .problem(
        .noDevice, name, "\(routeWords): no answer within 2 s", why: why,
        fixes: servers.first.map { [$0.start.replacing(" start ", with: " restart ")] } ?? [])
    case .refused(let error):
      return .problem(
        error.exitStatus, name, "\(error)", why: why, fixes: remedies(for: error))
    }
  }

  private func remedies(for error: DeviceError) -> [String] {
    switch error {
    case .busy(_): ["fuser -v /dev/snd/*"]
    case .notPermitted(_): joiningAudio
    case .noSuchDevice(_, let candidates): choosingCard(among: candidates)
    default: []
    }
  }

  /// Returns the command that makes another card the default, because card 0 may only support MIDI.
  private func choosingCard(among devices: [String]) -> [String] {
    let card = devices.first { $0.hasPrefix("plughw:") }
    return card.map { ["echo 'pcm.!default \"\($0)\"' >> ~/.asoundrc"] } ?? []
  }

  private func openingDevice(_ name: String, _ why: String) -> Finding {
    if route.last == "null" {
      return .warning(
        name, "\(routeWords): opens, but is silent", why: why,
        fixes: ["downbeat devices"])
    }
    if let server = servers.first, route.last == "hw" {
      return .warning(
        name, "\(routeWords): bypasses \(server.name)",
        why: "Only one of \(server.name) and downbeat can then use the card at a time.",
        fixes: [installing(server.kind == "pulse" ? .pulseALSA : .pipewireALSA)])
    }
    return .ok(name, "\(routeWords): opens", why: why)
  }

  /// A text for the route of the device: the name of a server, or the plug-ins that it passes
  /// through.
  private var routeWords: String {
    let server = SoundServer.all(on: self).first { $0.kind == route.last }
    return server?.name ?? (route.isEmpty ? "unknown device" : route.joined(separator: " → "))
  }
}
