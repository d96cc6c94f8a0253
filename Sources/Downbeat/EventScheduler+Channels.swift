// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

extension EventScheduler {
  /// Ends what sounds on some channels, wherever routes lead.
  ///
  /// - Parameters:
  ///   - channels: the channels of each port.
  ///   - portCount: the number of ports.
  ///   - routes: the routes.
  /// - Throws: what a sink throws when it is gone.
  func endNotes(
    on channels: PortChannels, ofPorts portCount: Int, by routes: [Route]
  ) throws {
    guard !channels.isEmpty else { return }
    try interrupt { position, _, _ in
      for port in 0..<min(portCount, TrackPorts.limit) where channels[port] != 0 {
        let ends = EventBuffer(
          endingNotesOn: channels[port], port: UInt8(port), at: position.time)
        for route in routes
        where route.track == nil && route.port ?? UInt8(port) == port
          && route.filter.struckChannels & channels[port] == 0
        {
          try router.send(ends, to: route.destination)
        }
      }
    }
  }
}

extension EventBuffer {
  /// What ends all that sounds on some channels, bit n for channel index n.
  init(endingNotesOn channels: UInt16, port: UInt8 = 0, at time: ReferenceTime) {
    self.init()
    for channel in Channel.all where channels & (1 << channel.index) != 0 {
      for control in [Controller.sustain, .sostenuto, .allNotesOff] {
        // Of no track, it goes where those go that have no way of their own: everywhere.
        append(
          TimedEvent(
            time: time, payload: .message(.control(channel, control, value: 0)), track: .max,
            port: port))
      }
    }
  }
}
