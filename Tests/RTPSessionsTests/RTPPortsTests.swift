// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MIDIPorts
import MusicalTime
import RTPMIDI
import RTPSessions
import Realtime
import TestSupport
import Testing

/// Sessions as ports; in the suite of sessions, whose tests have the usual port by turns.
extension RTPSessionTests {
  private static let here = "127.0.0.1:5004"

  private func notes(_ keys: [Key]) -> HostEventBuffer {
    var buffer = HostEventBuffer()
    for key in keys {
      buffer.append(HostEvent(time: .now, payload: .message(.noteOn(1, key, velocity: 9))))
    }
    return buffer
  }

  @Test func `a port is invited by address, and its events carry the name of the inviter`()
    throws
  {
    let (one, two) = (RTPPorts(.init(name: "one")), RTPPorts())
    defer { for ports in [one, two] { ports.end() } }
    let input = try two.makeInput(named: "ears", readsAhead: true)
    let system = PortSystem(one)
    let found = try system.find("rtp:\(Self.here)", .destination)
    #expect(found.fullName == "rtp:\(Self.here)")
    let output = try OutputPorts(["out"], to: [found], of: system)
    #expect(try output.members[0].port.hasListeners)
    #expect(output.members[0].port.description == "rtp:one")
    _ = try output.members[0].port.send(notes([60, 61]))
    var heard = HostEventBuffer()
    #expect(
      Self.holds {
        do { try input.drain(into: &heard) } catch { return false }
        return heard.events.count >= 2
      })
    #expect(heard.events.map { input.senderName($0.track) } == ["rtp:one", "rtp:one"])
    output.silence()
    #expect(
      Self.holds {
        do { try input.drain(into: &heard) } catch { return false }
        return heard.events.count > 4
      })
  }

  @Test func `an absent peer is not an endpoint until it appears`() throws {
    let one = RTPPorts()
    defer { one.end() }
    let monitor = try one.makeMonitor()
    #expect(try one.unlistedEndpoint(Self.here, .destination) == nil)
    #expect(one.peers().devices.isEmpty)
    let two = RTPPorts()
    let input = try two.makeInput(named: "ears", readsAhead: true)
    defer { withExtendedLifetime(input) {} }
    var changes: [EndpointChange] = []
    #expect(
      Self.holds {
        do { changes += try monitor.changes() } catch { return false }
        return !changes.isEmpty
      })
    let endpoint = try PortSystem(one).find("rtp:\(Self.here)", .source)
    #expect(changes.contains(.appeared(endpoint)))
    two.end()
  }

  @Test func `who goes is gone, and who returns is back`() throws {
    let one = RTPPorts()
    let system = PortSystem(one)
    defer { one.end() }
    let two = RTPPorts()
    let first = try two.makeInput(named: "ears", readsAhead: true)
    let found = try system.find("rtp:\(Self.here)", .destination)
    let output = try OutputPorts(["out"], to: [found], of: system)
    two.end()
    withExtendedLifetime(first) {}
    var changes: [PortKeeper.Change] = []
    func has(_ change: PortKeeper.Change) -> Bool {
      Self.holds {
        do { changes += try output.update() } catch { return false }
        return changes.last == change
      }
    }
    #expect(has(.gone(found)))
    let three = RTPPorts()
    let second = try three.makeInput(named: "ears", readsAhead: true)
    #expect(has(.back(found)))
    _ = try output.members[0].port.send(notes([60]))
    var heard = HostEventBuffer()
    #expect(
      Self.holds {
        do { try second.drain(into: &heard) } catch { return false }
        return heard.events.count == 1
      })
    three.end()
  }

  @Test func `a peer that the rules refuse gets an error`() throws {
    var settings = RTPPorts.Settings()
    settings.rules = SessionRules(names: ["somebody else"])
    let two = RTPPorts(settings)
    let input = try two.makeInput(named: "ears", readsAhead: true)
    let one = RTPPorts()
    defer { for ports in [one, two] { ports.end() } }
    #expect(throws: RTPPortError.refused(name: "rtp:\(Self.here)")) {
      try one.unlistedEndpoint(Self.here, .source)
    }
    withExtendedLifetime(input) {}
  }

  @Test(arguments: ["nobody", "127.0.0.1:0", "127.0.0.1:70000", "", ":", "a:b:c"])
  func `an invalid name or address is not an endpoint`(text: String) throws {
    let one = RTPPorts()
    defer { one.end() }
    #expect(throws: EndpointError.self) { try PortSystem(one).find("rtp:\(text)", .source) }
  }
}
