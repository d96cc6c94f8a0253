// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import RTPSessions

/// The sessions on the network, as text and as JSON.
struct SessionReport {
  let services: [ServiceDirectory.Service]

  /// Searches for sessions, for at most three seconds.
  ///
  /// - Throws: `Failure` if Avahi is not available.
  init() throws {
    guard let services = try RTPPorts().services() else {
      throw Failure(
        .noDevice,
        "network: Avahi, which finds sessions, is not available (install avahi-daemon and"
          + " libavahi-client3, or use rtp:HOST:PORT)")
    }
    self.services = services
  }

  /// A header, followed by a line for each session.
  var lines: [String] {
    [Self.line("Session", "Host", "Address")]
      + services.map { Self.line("rtp:\($0.name)", $0.host, "\($0.address)") }
  }

  /// The JSON document.
  var json: JSONValue {
    .object([
      ("v", 1), ("type", "sessions"),
      (
        "sessions",
        .array(
          services.map {
            .object([
              ("port", .text("rtp:\($0.name)")), ("name", .text($0.name)),
              ("host", .text($0.host)), ("address", .text("\($0.address)")),
            ])
          })
      ),
    ])
  }

  private static func line(_ name: String, _ host: String, _ address: String) -> String {
    "\(padded(name, to: 32)) \(padded(host, to: 24)) \(address)"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
