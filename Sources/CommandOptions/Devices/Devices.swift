// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import JSONText

/// Lists the sound devices.
package struct Devices: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "List the sound devices that can be played on.",
    discussion: """
      A name is what `play --audio` takes; the default is what --audio auto takes now. Servers come \
      first, where they run. With --long each device is opened for a moment and says what it can do; \
      one that another program holds says that it is busy.

      EXAMPLES:
        downbeat devices
        downbeat devices --long
        downbeat devices --json | jq -r '.devices[].name'
      """)

  @Flag(name: [.short, .long], help: "Say what each can do: formats, rates, channels, periods.")
  package var long = false

  @Flag(help: "Write one JSON document, with what each can do.")
  package var json = false

  package func run() throws {
    let list = DeviceEntry.servers() + DeviceEntry.devices()
    if json {
      let list = JSONValue.array(list.map(\.json))
      return try Terminal.output(
        "\(JSONValue.object([("v", 1), ("type", "devices"), ("devices", list)]))")
    }
    for entry in list {
      try Terminal.output(entry.name + (entry.isDefault ? "    (the default)" : ""))
      if !entry.description.isEmpty { try Terminal.output("    \(entry.description)") }
      if long { try Terminal.output(entry.lines.map { "    \($0)" }) }
    }
  }
}
