// SPDX-License-Identifier: Apache-2.0
import ALSAMIDI
import Glibc
import MIDIMessages
import MIDIPorts
import MusicalTime
import Realtime

/// Plays on ports without the command: `TestProbe port NAME`.
///
/// It waits for a destination of the name, plays key 60 there, prints when the destination goes and
/// returns, plays key 61, and is killed with the key held: the guardian then releases it. With
/// `--listen` instead of a name it waits for a message at its own port, and ends.
enum PortProbe {
  static func run(_ words: [String]) async throws {
    let name = words[0]
    if name == "--listen" { return try await listen() }
    let client = try ALSAClient.guarded(name: "probe") { say("no guardian: \($0)") }
    do {
      _ = try PortFinder(client).find([name], .destination)
    } catch EndpointError.unknown {
      say("none yet")
    }
    let targets = try PortFinder(client, waitingBy: PortFinder.waitForEver)
      .find([name, "14:0,\(name)"], .destination)
    let ports = try OutputPorts(
      ["first", "second"], to: targets, of: client, delays: [.zero, .milliseconds(1)])
    for port in ports.destinations(through: MessageTransform()) {
      say("\(port.name) \(port.delay.nanosecondsRoundedUp)")
      try strike(60, on: port.sink)
    }
    while true {
      _ = try DeadlineWait().wait(until: nil, readable: ports.descriptors)
      for change in try ports.update() {
        say("\(change)")
        guard case .back(let endpoint) = change else { continue }
        say("\(ports.names(to: endpoint))")
        try strike(61, on: ports.members[0].port.sink)
      }
    }
  }

  private static func listen() async throws {
    let port = try ALSAInputPort(try ALSAClient(name: "listener"), name: "listener")
    let reader = try InputReader(port)
    say("listening")
    for try await received in reader {
      guard case .message(let message)? = received.events.first?.payload else { continue }
      say("\(message.status) \(message.data1) \(message.data2)")
      break
    }
    let waiting = Task { for try await _ in reader {} }
    waiting.cancel()
    try await waiting.value
    say("ended")
  }

  private static func say(_ words: String) {
    print(words)
    fflush(nil)
  }

  private static func strike(_ key: UInt8, on sink: any EventSink<HostTime>) throws {
    var buffer = HostEventBuffer()
    let now = HostTime(nanoseconds: DeadlineWait.now)
    buffer.append(
      HostEvent(
        time: now, payload: .message(.noteOn(Channel(index: 3), Key(key), velocity: 9))))
    _ = try sink.send(buffer.events.span, payloads: buffer.payloads.span)
  }
}
