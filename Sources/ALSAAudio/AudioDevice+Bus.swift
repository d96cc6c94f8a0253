// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

extension AudioDevice {
  /// The bus by which a sound card is connected to the computer.
  public enum Bus: Hashable, Sendable {
    /// PCI or PCI Express, including the sound of most main boards.
    case pci
    /// USB.
    case usb
    /// FireWire (IEEE 1394).
    case fireWire
    /// Bluetooth.
    case bluetooth
    /// HDMI or DisplayPort, which connect a monitor.
    case hdmi
    /// The sound hardware is part of the main chip.
    case builtIn
    /// The device is not a card, but a sound server, a file or an ALSA plugin.
    case none
    /// The card was removed, or the system does not report its bus.
    case unknown
  }

  /// The bus of the device's sound card, as reported by the kernel; the device is not opened.
  ///
  /// - Note: Not real-time safe: it reads links in `/proc` and `/sys`.
  public var bus: Bus { bus(root: "/") }

  /// Returns the connection of its card, with a folder in place of the root of the file system.
  package func bus(root: String) -> Bus {
    if name.hasPrefix("bluealsa") { return .bluetooth }
    guard let card else { return .none }
    if name.hasPrefix("hdmi:") { return .hdmi }
    guard let number = Self.target(of: "\(root)/proc/asound/\(card)"),
      let bus = Self.target(of: "\(root)/sys/class/sound/\(number)/device/subsystem")
    else { return .unknown }
    return Self.bus(named: bus.split(separator: "/").last ?? "")
  }

  /// The target of a symbolic link; nil if the path is not a link.
  private static func target(of path: String) -> String? {
    let room = Int(PATH_MAX)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room + 1) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = path.withSystemPath { unsafe readlink($0, base, room) }
      guard count > 0 else { return nil }
      unsafe base[count] = 0
      return unsafe String(cString: base)
    }
  }

  /// The card's identifier in the name, such as `PCH` in `hw:CARD=PCH,DEV=0`.
  private var card: Substring? {
    guard let start = name.firstRange(of: "CARD=") else { return nil }
    let card = name[start.upperBound...].prefix { $0 != "," }
    return card.isEmpty || card.contains("/") ? nil : card
  }

  private static func bus(named name: Substring) -> Bus {
    switch name {
    case "pci", "hdaudio": .pci
    case "usb": .usb
    case "firewire": .fireWire
    case "bluetooth": .bluetooth
    case "platform", "soc-audio", "soundwire": .builtIn
    default: .unknown
    }
  }
}
