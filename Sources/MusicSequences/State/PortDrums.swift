// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// The channels that play drums on each port of a sequence.
///
/// At first this is channel 10 of every port; each port can be changed separately (`DrumChannels`).
public struct PortDrums: Sendable {
  private var ports: [DrumChannels]
  /// The bank modes that apply when programs are selected and notes begin, in order of first use.
  public let bankModes: [BankMode]

  init(_ ports: [DrumChannels], _ modes: [BankMode]) {
    self.ports = ports
    bankModes = modes
  }

  /// The drum channels of a port, counted from 0; channel 10 for a port that does not exist.
  public subscript(port: Int) -> DrumChannels {
    ports.indices.contains(port) ? ports[port] : .generalMIDI
  }

  /// The number of ports, 1 or more.
  public var count: Int { ports.count }
}

extension MusicSequence {
  /// The channels that play drums on each port.
  ///
  /// The repetitions of a track's loop are not examined.
  ///
  /// - Complexity: O(n); fast without SysEx.
  public var portDrums: PortDrums { portDrums(in: .auto) }

  /// Returns the channels that play drums on each port in a bank mode.
  ///
  /// The repetitions of a track's loop are not examined.
  ///
  /// - Parameter mode: The bank mode that the user has chosen.
  /// - Returns: The channels.
  /// - Complexity: O(n); fast without SysEx in modes other than XG and GM2.
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

  /// The channels that play drums on the first port.
  ///
  /// The repetitions of a track's loop are not examined.
  ///
  /// - Complexity: O(n); fast without SysEx.
  public var drumChannels: DrumChannels { portDrums[0] }

  private var hasSysEx: Bool {
    tracks.contains { track in
      track.records.chunks.contains { chunk in
        chunk.contains { $0.status == EventRecord.sysEx || $0.status == EventRecord.packet }
      }
    }
  }
}
