// SPDX-License-Identifier: Apache-2.0

/// The channels that play drums on each port of a sequence.
///
/// Channel 10 of every port does, until the song changes it there (`DrumChannels`).
public struct PortDrums: Sendable {
  private var ports: [DrumChannels]

  init(_ ports: [DrumChannels]) { self.ports = ports }

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
  public var portDrums: PortDrums {
    let ports = TrackPorts(self)
    guard hasSysEx else {
      return PortDrums([DrumChannels](repeating: .generalMIDI, count: ports.count))
    }
    return PortDrums(DrumChannels.ofPorts(self, count: ports.count))
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
