// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import AudioProcessing
internal import ClockService
internal import Downbeat
internal import FileNames
internal import LV2Units
internal import MIDIMessages
internal import MIDIPorts
internal import Realtime

/// What a shell offers at the Tab key: files of the right kind, or what is there at the moment.
extension CompletionKind {
  /// MIDI files.
  static var songs: CompletionKind {
    .file(extensions: ["mid", "midi", "smf", "kar", "rmi", "gz"])
  }

  /// MIDI files, folders and lists of them.
  static var songLists: CompletionKind {
    .file(extensions: ["mid", "midi", "smf", "kar", "rmi", "gz", "m3u", "m3u8", "pls"])
  }

  /// Sound files.
  static var sounds: CompletionKind {
    .file(extensions: ListedFiles.sounds.suffixes)
  }

  /// MIDI ports that can be received from or sent to; without a direction, both.
  static func ports(_ direction: Endpoint.Direction? = nil) -> CompletionKind {
    words { prefix in
      let kind = PortSystem.named().split(prefix).kind
      let directions = direction.map { [$0] } ?? [.source, .destination]
      return try directions.flatMap { try portNames($0, behind: kind) }
    }
  }

  /// Masters to be followed: ports, and clocks that are served.
  static var masters: CompletionKind { words { _ in try masterNames() } }

  /// What a song runs by: a master, or its own clock.
  static var songClocks: CompletionKind { words { _ in try ["offline"] + masterNames() } }

  /// Clocks that are served.
  static var clocks: CompletionKind { words { _ in try clockNames() } }

  /// Sound devices.
  static var devices: CompletionKind {
    words { _ in ["auto", "jack", "pipewire"] + AudioDevice.all().map(\.name) }
  }

  /// Effects, and what can be set on the one that is being typed.
  static var effects: CompletionKind {
    words { prefix in
      let catalogue = PluginShelf.standard.catalogue()
      guard let space = prefix.lastIndex(of: " ") else {
        let names = catalogue.entries.map(\.name)
        return PluginShelf.isPlugin(prefix) ? try pluginNames { $0.isEffect } : names + ["lv2:"]
      }
      let name = String(prefix.prefix { $0 != " " })
      let entry = try catalogue.entry(name)
      let parameters = entry.options.map(\.parameter) + entry.parameters
      return parameters.map { "\(prefix[...space])\($0.name)=" }
    }
  }

  /// Plug-ins.
  static var plugins: CompletionKind {
    words { _ in try pluginNames { _ in true }.map { String($0.dropFirst(4)) } }
  }

  /// Plug-ins that are instruments, as `--instrument` takes them.
  static var instruments: CompletionKind { words { _ in try pluginNames(\.isInstrument) } }

  private static func pluginNames(_ isMeant: (LV2Plugin) -> Bool) throws -> [String] {
    let plugins = try PluginShelf.standard.findings().plugins
    let names = PluginShelf.names(of: plugins)
    return plugins.filter { $0.refusal == nil && isMeant($0) }
      .map { PluginShelf.prefix + (names[$0.uri] ?? $0.uri) }
  }

  /// Soundfonts: those of the folder that is being typed, and those that are installed.
  static var fonts: CompletionKind {
    .custom { _, _, prefix in
      let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
      let here = SoundFontDiscovery.files(in: folder.isEmpty ? "." : folder) ?? []
      let names =
        here.map { folder + SoundFontDiscovery.name(of: $0) }
        + SoundFontCommand.discovery.fonts().map(SoundFontDiscovery.name)
      // The parser writes them as UTF-8; the shell completes the others.
      return names.filter { !FileName.hasLooseBytes($0) }
    }
  }

  /// Programs of General MIDI.
  static var programs: CompletionKind {
    words { _ in (0..<128).map { GeneralMIDI.name(ofProgram: $0).lowercased() } }
  }

  /// The names; those of ALSA, which have no kind before them as a rule, with it where it is being
  /// typed.
  private static func portNames(
    _ direction: Endpoint.Direction, behind kind: PortKind? = nil
  ) throws -> [String] {
    try PortSystem.named().peers().endpoints(direction).map { endpoint in
      guard endpoint.kind == .alsa else { return endpoint.fullName }
      let name = "\(endpoint.deviceName):\(endpoint.name)"
      return kind == .alsa ? "alsa:\(name)" : name
    }
  }

  private static func masterNames() throws -> [String] {
    let clocks = try clockNames().map { "clock:\($0)" }
    let devices = AudioDevice.all().map { "ltc:\($0.name)" }
    return try ["link", "ltc", "jack"] + clocks + devices
      + portNames(.source).flatMap { ["midi:\($0)", "mtc:\($0)"] }
  }

  private static func clockNames() throws -> [String] { try SharedClockReader.publishedNames() }

  private static func words(
    _ list: @escaping @Sendable (_ prefix: String) throws -> [String]
  ) -> CompletionKind {
    .custom { _, _, prefix in
      do {
        return try list(prefix)
      } catch {
        // Nothing is offered where the system cannot be asked.
        return []
      }
    }
  }
}
