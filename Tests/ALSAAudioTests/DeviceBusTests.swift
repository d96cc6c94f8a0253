// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import Foundation
import TestSupport
import Testing

/// The bus of a sound card, from links like those of the kernel.
@Suite struct DeviceBusTests {
  @Test(arguments: [
    ("pci", AudioDevice.Bus.pci), ("usb", .usb), ("firewire", .fireWire), ("platform", .builtIn),
    ("hdaudio", .pci), ("xyz", .unknown),
  ])
  func `a card has the bus of its device`(name: String, bus: AudioDevice.Bus) throws {
    let scratch = try ScratchFolder()
    let files = FileManager.default
    let card = scratch.path("sys/class/sound/card3/device")
    try files.createDirectory(atPath: card, withIntermediateDirectories: true)
    try files.createDirectory(
      atPath: scratch.path("proc/asound"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: scratch.path("proc/asound/Box"), withDestinationPath: "card3")
    try files.createSymbolicLink(
      atPath: card + "/subsystem", withDestinationPath: "../../../../bus/" + name)
    let root = scratch.path("")
    func found(_ name: String) -> AudioDevice.Bus {
      AudioDevice(name: name, directions: [.playback]).bus(root: root)
    }
    #expect(found("hw:CARD=Box,DEV=0") == bus)
    #expect(found("sysdefault:CARD=Box") == bus)
    #expect(found("hdmi:CARD=Box,DEV=0") == .hdmi)
    // A removed card, and names that are not those of cards.
    #expect(found("hw:CARD=Gone,DEV=0") == .unknown)
    #expect(found("hw:CARD=../x,DEV=0") == .none)
    #expect(found("default") == .none && found("null") == .none && found("hw:CARD=") == .none)
    #expect(found("bluealsa:DEV=00:00") == .bluetooth)
  }
}
