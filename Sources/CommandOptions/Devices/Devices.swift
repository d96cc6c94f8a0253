// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import JSONText

/// The command `downbeat devices`, which lists the sound devices.
package struct Devices: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the sound devices and servers.",
    discussion: """
      The devices that can play are listed first, then those that can record. The listed names can \
      be used with --audio, those of inputs with --input as well. A device marked as default is \
      the one that --audio auto uses now. Running sound servers are listed first, for recording \
      with each client that has ports to record from. --long opens each device for a moment to \
      read its capabilities; a device that another program uses is reported as busy.

      EXAMPLES:
        downbeat devices
        downbeat devices --long
        downbeat devices --json | jq -r '.devices[].name'
        downbeat devices --json | jq -r '.inputs[].name'
      """)

  @Flag(name: [.short, .long], help: "Show each device's formats, rates, channels and periods.")
  package var long = false

  @Flag(help: "Print one JSON document, including the capabilities of each device.")
  package var json = false

  package func run() throws {
    let (outputs, inputs) = (DeviceEntry.servers() + DeviceEntry.devices(), DeviceEntry.inputs())
    if json {
      return try Terminal.output(
        JSONValue.object([
          ("v", 1), ("type", "devices"), ("devices", .array(outputs.map(\.json))),
          ("inputs", .array(inputs.map(\.json))),
        ]))
    }
    try show(outputs)
    guard !inputs.isEmpty else { return }
    if !outputs.isEmpty { try Terminal.output("") }
    try Terminal.output("inputs:")
    try show(inputs)
  }

  private func show(_ list: [DeviceEntry]) throws {
    for entry in list {
      try Terminal.output(entry.name + (entry.isDefault ? "    (the default)" : ""))
      if !entry.description.isEmpty { try Terminal.output("    \(entry.description)") }
      if long { try Terminal.output(entry.lines.map { "    \($0)" }) }
    }
  }
}
