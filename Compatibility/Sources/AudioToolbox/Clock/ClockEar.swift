// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreMIDI

/// A MIDI client that receives the messages of one source for a clock.
final class ClockEar: Sendable {
  private let client: MIDIClientRef

  /// Connects to the source; nil if the source is invalid.
  init?(_ source: MIDIEndpointRef, _ feed: ClockFeed) {
    var client: MIDIClientRef = 0
    var port: MIDIPortRef = 0
    unsafe MIDIClientCreateWithBlock("clock", &client, nil)
    unsafe MIDIInputPortCreateWithBlock(client, "clock in", &port) { list, _ in
      unsafe feed.take(list)
    }
    self.client = client
    guard MIDIPortConnectSource(port, source, nil) == 0 else { return nil }
  }

  deinit {
    MIDIClientDispose(client)
  }
}
