// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import Downbeat
internal import MIDIMessages
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
    .file(extensions: ["wav", "flac", "ogg", "opus", "mp3", "aiff", "aif", "au", "caf", "w64"])
  }

  /// MIDI ports that can be received from or sent to; without a direction, both.
  static func ports(_ direction: Endpoint.Direction? = nil) -> CompletionKind {
    words { try direction.map(portNames) ?? portNames(.source) + portNames(.destination) }
  }

  /// Masters to be followed: ports, and clocks that are served.
  static var masters: CompletionKind { words(masterNames) }

  /// What a song runs by: a master, or its own clock.
  static var songClocks: CompletionKind { words { try ["offline"] + masterNames() } }

  /// Clocks that are served.
  static var clocks: CompletionKind { words(clockNames) }

  /// Sound devices.
  static var devices: CompletionKind { words { AudioDevice.all().map(\.name) } }

  /// Soundfonts: those of the folder that is being typed, and those that are installed.
  static var fonts: CompletionKind {
    .custom { _, _, prefix in
      let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
      let here = SoundFontDiscovery.files(in: folder.isEmpty ? "." : folder) ?? []
      return here.map { folder + SoundFontDiscovery.name(of: $0) }
        + SoundFontCommand.discovery.fonts().map(SoundFontDiscovery.name)
    }
  }

  /// Programs of General MIDI.
  static var programs: CompletionKind {
    words { (0..<128).map { GeneralMIDI.name(ofProgram: $0).lowercased() } }
  }

  private static func portNames(_ direction: Endpoint.Direction) throws -> [String] {
    let client = try ALSAClient()
    return try client.endpoints().without(client: client.number).endpoints(direction)
      .map { "\($0.deviceName):\($0.name)" }
  }

  private static func masterNames() throws -> [String] {
    let clocks = try clockNames().map { "clock:\($0)" }
    return try ["link"] + clocks + portNames(.source).flatMap { ["midi:\($0)", "mtc:\($0)"] }
  }

  private static func clockNames() throws -> [String] { try SharedClockReader.publishedNames() }

  private static func words(
    _ list: @escaping @Sendable () throws -> [String]
  ) -> CompletionKind {
    .custom { _, _, _ in
      do {
        return try list()
      } catch {
        // Nothing is offered where the system cannot be asked.
        return []
      }
    }
  }
}
