// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The settings that SysEx messages have made in the device at a port since its last reset.
struct DeviceMemory: Sendable {
  /// The mode that the last reset selected; nil for the device's native mode.
  private(set) var mode: SysExReset?
  private var reset: [UInt8] = []
  private var entries: [DeviceSetting: Entry] = [:]
  /// The messages whose settings are all in force, by their order.
  private var sources: [Int: Source] = [:]
  private var nextOrder = 0

  private struct Entry: Sendable {
    let write: SettingWrite
    let order: Int
  }

  private struct Source: Sendable {
    let bytes: [UInt8]
    var settings: [DeviceSetting]
  }

  /// Applies a message without F0 and F7, and returns the settings that it has changed.
  mutating func apply(_ bytes: [UInt8]) -> [DeviceSetting] {
    if let mode = SysExReset(bytes) {
      self = DeviceMemory()
      self.mode = mode == .off ? nil : mode
      reset = bytes
      return []
    }
    let writes = SettingWrite.all(in: bytes)
    guard !writes.isEmpty else { return [] }
    for write in writes {
      forget(write.setting)
      entries[write.setting] = Entry(write: write, order: nextOrder)
    }
    let settings = writes.map(\.setting)
    sources[nextOrder] = Source(
      bytes: bytes, settings: Set(settings).count == settings.count ? settings : [])
    nextOrder += 1
    return settings
  }

  /// Removes a setting, because something else has set the same thing.
  mutating func forget(_ setting: DeviceSetting) {
    guard let entry = entries.removeValue(forKey: setting) else { return }
    // The message as a whole is not in force any more.
    sources[entry.order] = nil
  }

  func isSet(_ setting: DeviceSetting) -> Bool { entries[setting] != nil }

  /// True if no setting is in force.
  var isEmpty: Bool { entries.isEmpty }

  /// The messages that restore the memory in a device in its native mode.
  var messages: [[UInt8]] {
    (mode == nil ? [] : [reset]) + messages(of: Set(entries.keys))
  }

  /// The messages that write some of the settings, in order.
  private func messages(of settings: Set<DeviceSetting>) -> [[UInt8]] {
    var chosen: [Int: [SettingWrite]] = [:]
    for setting in settings {
      guard let entry = entries[setting] else { continue }
      chosen[entry.order, default: []].append(entry.write)
    }
    return chosen.sorted { $0.key < $1.key }.flatMap { order, writes -> [[UInt8]] in
      // If all settings of a message are needed, the message itself is sent.
      if let source = sources[order], source.settings.count == writes.count {
        return [source.bytes]
      }
      return writes.map(\.message).sorted { $0.lexicographicallyPrecedes($1) }
    }
  }
}

extension DeviceMemory {
  /// The messages that change one memory to another.
  struct Change: Sendable {
    /// The messages without F0 and F7.
    var messages: [[UInt8]] = []
    /// The settings that they write.
    var settings: Set<DeviceSetting> = []
    /// True if the first message is a reset, which clears all other state.
    var resets = false
    /// The messages that cannot be undone, because their inverse is not known.
    var lost: [[UInt8]] = []
  }

  /// The fewest messages that restore the memory in a device that has another memory.
  ///
  /// - Parameters:
  ///   - other: The current memory of the device.
  ///   - device: The kind of device, which determines the initial values.
  ///   - isSure: True if the other memory's values are in force; false if this is uncertain.
  ///   - isCovered: Returns true if a channel message of this state sets the same thing.
  /// - Returns: The messages.
  func change(
    after other: DeviceMemory, on device: StateDevice, isSure: Bool = true,
    unless isCovered: (DeviceSetting) -> Bool
  ) -> Change {
    var change = Change()
    guard mode == other.mode else {
      change.resets = true
      change.messages = mode == nil ? [StateDevice.systemOff] + messages : messages
      change.settings = Set(entries.keys)
      return change
    }
    var wanted: Set<DeviceSetting> = []
    for (setting, entry) in entries
    where !isSure || other.entries[setting]?.write != entry.write {
      wanted.insert(setting)
    }
    restoreGroups(after: other, on: device, &wanted, &change)
    let gone = other.entries.values.filter { entries[$0.write.setting] == nil }
    for entry in gone.sorted(by: { ($0.order, $0.write) < ($1.order, $1.write) })
    where entry.write.setting.group == nil && !isCovered(entry.write.setting) {
      guard let initial = entry.write.initialValue(on: device, after: mode) else {
        change.lost.append(entry.write.message)
        continue
      }
      change.messages.append(entry.write.message(initial))
      change.settings.insert(entry.write.setting)
    }
    change.messages += messages(of: wanted)
    change.settings.formUnion(wanted)
    return change
  }

  /// Resets groups of settings that differ to their initial values.
  ///
  /// This memory's settings of these groups are then added to `wanted`.
  private func restoreGroups(
    after other: DeviceMemory, on device: StateDevice, _ wanted: inout Set<DeviceSetting>,
    _ change: inout Change
  ) {
    let (mine, theirs) = (groups, other.groups)
    for (group, writes) in theirs.sorted(by: { $0.value[0] < $1.value[0] })
    where mine[group] != writes {
      wanted.formUnion((mine[group] ?? []).map(\.setting))
      // If all settings of the group are written again, they need no initial values.
      let left = writes.filter { !isSet($0.setting) }
      guard !left.isEmpty else { continue }
      change.settings.formUnion(writes.map(\.setting))
      if let message = device.initialMessage(of: group) {
        change.messages.append(message)
        continue
      }
      var given: Set<[UInt8]> = []
      for write in left {
        if let initial = SettingWrite.initial(of: group, like: write) {
          if given.insert(initial.message).inserted { change.messages.append(initial.message) }
          guard write.header[0] == 0x43, let value = write.initialValue else { continue }
          // The return level of an effect does not change with its type.
          let level = write.message(value)
          if given.insert(level).inserted { change.messages.append(level) }
        } else {
          change.lost.append(write.message)
        }
      }
    }
  }

  /// The writes of each group, in order.
  private var groups: [SettingGroup: [SettingWrite]] {
    var groups: [SettingGroup: [Entry]] = [:]
    for entry in entries.values {
      if let group = entry.write.setting.group { groups[group, default: []].append(entry) }
    }
    return groups.mapValues { list in
      list.sorted { ($0.order, $0.write) < ($1.order, $1.write) }.map(\.write)
    }
  }
}
