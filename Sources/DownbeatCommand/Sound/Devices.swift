// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import JSONText

/// Lists the sound devices.
struct Devices: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the sound devices that can be played on.",
    discussion: """
      A name is what `play --audio` takes. With --long each device is opened for a moment and \
      says what it can do; one that another program holds says that it is busy.

      EXAMPLES:
        downbeat devices
        downbeat devices --long
        downbeat devices --json | jq -r '.devices[].name'
      """)

  @Flag(name: [.short, .long], help: "Say what each can do: formats, rates, channels, periods.")
  var long = false

  @Flag(help: "Write one JSON document, with what each can do.")
  var json = false

  func run() throws {
    let devices = AudioDevice.all()
    if json {
      let list = JSONValue.array(devices.map(Self.json))
      return try Terminal.output(
        "\(JSONValue.object([("v", 1), ("type", "devices"), ("devices", list)]))")
    }
    for device in devices {
      try Terminal.output(device.name)
      if !device.description.isEmpty { try Terminal.output("    \(device.description)") }
      if long { try Terminal.output(Self.lines(device).map { "    \($0)" }) }
    }
  }

  private static func lines(_ device: AudioDevice) -> [String] {
    do {
      let can = try device.capabilities()
      return [
        "formats  \(can.formats.joined(separator: " "))", "rates    \(text(can.rates)) Hz",
        "channels \(text(can.channels))", "period   \(text(can.periodFrames)) frames",
        "buffer   \(text(can.bufferFrames)) frames",
      ]
    } catch {
      return ["\(error)"]
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
  }

  private static func json(_ device: AudioDevice) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("name", .text(device.name)), ("description", .text(device.description)),
    ]
    do {
      let can = try device.capabilities()
      members += [
        ("formats", .array(can.formats.map { .text($0) })), ("rates", json(can.rates)),
        ("channels", json(can.channels)), ("periodFrames", json(can.periodFrames)),
        ("bufferFrames", json(can.bufferFrames)),
      ]
    } catch {
      members.append(("error", .text("\(error)")))
    }
    return .object(members)
  }

  private static func json(_ range: ClosedRange<Int>) -> JSONValue {
    .array([.integer(range.lowerBound), .integer(range.upperBound)])
  }
}
