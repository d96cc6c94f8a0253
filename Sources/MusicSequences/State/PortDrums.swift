// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// The channels that play drums on each port of a sequence.
///
/// Channel 10 of every port does, until the song changes it there (`DrumChannels`).
public struct PortDrums: Sendable {
  private var ports: [DrumChannels]
  /// The rules of bank select that are in force at programs and notes, each once, in order.
  public let bankModes: [BankMode]

  init(_ ports: [DrumChannels], _ modes: [BankMode]) {
    self.ports = ports
    bankModes = modes
  }

  /// The channels that play drums on a port, counted from 0; channel 10 on one that is not there.
  public subscript(port: Int) -> DrumChannels {
    ports.indices.contains(port) ? ports[port] : .generalMIDI
  }

  /// The number of ports, 1 or more.
  public var count: Int { ports.count }
}

extension MusicSequence {
  /// The channels that play drums on each port; a track that loops counts once.
  ///
  /// - Complexity: O(n); without SysEx no event is looked at closely.
  public var portDrums: PortDrums { portDrums(in: .auto) }

  /// The channels that play drums on each port by the rules of a bank mode; a track that loops
  /// counts once.
  ///
  /// - Parameter mode: the bank mode that the user has chosen.
  /// - Returns: the channels.
  /// - Complexity: O(n); without SysEx and a fixed mode no event is looked at closely.
  public func portDrums(in mode: BankMode) -> PortDrums {
    portDrums(in: mode, TrackPorts(self), hasSysEx: hasSysEx)
  }

  func portDrums(in mode: BankMode, _ ports: TrackPorts, hasSysEx: Bool) -> PortDrums {
    guard hasSysEx || mode == .xg || mode == .gm2 else {
      let drums = [DrumChannels](repeating: .generalMIDI, count: ports.count)
      return PortDrums(drums, [mode.initial])
    }
    let (drums, modes) = DrumChannels.ofPorts(self, count: ports.count, in: mode)
    return PortDrums(drums, modes)
  }

  /// The channels of the first port that play drums; a track that loops counts once.
  ///
  /// - Complexity: O(n); without SysEx no event is looked at closely.
  public var drumChannels: DrumChannels { portDrums[0] }

  private var hasSysEx: Bool {
    tracks.contains { track in
      track.records.chunks.contains { chunk in
        chunk.contains { $0.status == EventRecord.sysEx || $0.status == EventRecord.packet }
      }
    }
  }
}
