// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

extension EventScheduler {
  /// Ends the sounding notes of some channels at the destinations of all routes.
  ///
  /// - Parameters:
  ///   - channels: The channels of each port.
  ///   - portCount: The number of ports.
  ///   - routes: The routes.
  /// - Throws: The error of a sink that cannot be reached any more.
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
  /// Creates the messages that end all notes of some channels; bit n is channel index n.
  init(endingNotesOn channels: UInt16, port: UInt8 = 0, at time: ReferenceTime) {
    self.init()
    for channel in Channel.all where channels & (1 << channel.index) != 0 {
      for control in [Controller.sustain, .sostenuto, .allNotesOff] {
        // Track `.max` is not a track of the song: only routes without a track filter take the
        // event.
        append(
          TimedEvent(
            time: time, payload: .message(.control(channel, control, value: 0)), track: .max,
            port: port))
      }
    }
  }
}
