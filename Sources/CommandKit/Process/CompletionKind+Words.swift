// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import ArgumentParser
internal import AudioProcessing
internal import ClockService
internal import Downbeat
internal import FileNames
internal import LV2Units
internal import MIDIMessages
package import MIDIPorts
internal import Realtime

/// The completions that a shell offers: files of the right kind, and current ports, clocks and
/// devices.
extension CompletionKind {
  /// MIDI files.
  package static var songs: CompletionKind {
    .file(extensions: ["mid", "midi", "smf", "kar", "rmi", "rmid", "sfmi", "gz"])
  }

  /// MIDI files, folders and playlists.
  package static var songLists: CompletionKind {
    .file(extensions: [
      "mid", "midi", "smf", "kar", "rmi", "rmid", "sfmi", "gz", "m3u", "m3u8", "pls",
    ])
  }

  /// Sound files.
  package static var sounds: CompletionKind {
    .file(extensions: ListedFiles.sounds.suffixes)
  }

  /// MIDI ports of a direction; without one, all.
  package static func ports(_ direction: Endpoint.Direction? = nil) -> CompletionKind {
    words { prefix in
      let kind = PortSystem.named().split(prefix).kind
      let directions = direction.map { [$0] } ?? [.source, .destination]
      return try directions.flatMap { try portNames($0, behind: kind) }
    }
  }

  /// Sync sources: ports, and served clocks.
  package static var masters: CompletionKind { words { _ in try masterNames() } }

  /// The clocks of a song: sync sources, and `offline` for its own clock.
  package static var songClocks: CompletionKind { words { _ in try ["offline"] + masterNames() } }

  /// Served clocks.
  package static var clocks: CompletionKind { words { _ in try clockNames() } }

  /// Sound devices.
  package static var devices: CompletionKind {
    words { _ in ["auto", "jack", "pipewire"] + AudioDevice.all(.playback).map(\.name) }
  }

  /// The programs of General MIDI.
  package static var programs: CompletionKind {
    words { _ in (0..<128).map { GeneralMIDI.name(ofProgram: $0).lowercased() } }
  }

  /// The names of ports; names of ALSA ports have the kind only if the user types it.
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
    let devices = AudioDevice.all(.capture).map { "ltc:\($0.name)" }
    return try ["link", "ltc", "jack"] + clocks + devices
      + portNames(.source).flatMap { ["midi:\($0)", "mtc:\($0)"] }
  }

  private static func clockNames() throws -> [String] { try SharedClockReader.publishedNames() }

  package static func words(
    _ list: @escaping @Sendable (_ prefix: String) throws -> [String]
  ) -> CompletionKind {
    .custom { _, _, prefix in
      do {
        return try list(prefix)
      } catch {
        // Nothing is offered if the system cannot be queried.
        return []
      }
    }
  }
}
