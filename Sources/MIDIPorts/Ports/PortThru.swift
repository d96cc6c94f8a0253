// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// Passes events between ports of any kinds through the program.
///
/// A SysEx is passed on when it is complete.
final class PortThru: ThruConnection {
  private let input: InputPorts
  private let output: OutputPorts
  private var senders: ThruSenders
  private var received = HostEventBuffer()
  private var sending = HostEventBuffer()
  private var feed: PortFeed

  init(
    _ system: PortSystem, from sources: [Endpoint], to destinations: [Endpoint],
    through senders: ThruSenders, sysExSpeed: Int?
  ) throws {
    precondition(
      !sources.isEmpty && !destinations.isEmpty, "a thru needs a source and a destination")
    input = try InputPorts("thru in", from: sources, of: system)
    output = try OutputPorts(["thru out"], to: destinations, of: system, sysExSpeed: sysExSpeed)
    feed = PortFeed(output)
    self.senders = senders
  }

  var isInKernel: Bool { false }

  var descriptors: [Int32] { input.descriptors + input.keeper.descriptors + output.descriptors }

  var isIdle: Bool { hasHandedOn && !output.isHoldingBack }

  private var hasHandedOn: Bool { feed.sent == sending.events.count }

  func pump() throws {
    received.removeAll()
    try input.drain(into: &received)
    if hasHandedOn {
      sending.removeAll()
      feed.takeBack(from: 0)
    }
    for event in received.events {
      senders.apply(event, payloads: received.payloads.span, into: &sending)
    }
    _ = try feed.send(sending)
  }

  func update() throws -> [PortKeeper.Change] {
    try input.keeper.update() + output.update()
  }

  func end() {
    output.silence()
  }

  func reopen() throws {
    received.removeAll()
    try input.drain(into: &received)
    senders.forget()
  }
}
