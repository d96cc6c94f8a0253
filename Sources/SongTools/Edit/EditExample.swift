// SPDX-License-Identifier: Apache-2.0

/// An operation of `edit` with an example of its value.
package struct EditExample: Sendable {
  /// The name of the operation.
  package let name: String
  /// A value or a setting that the operation needs; empty for none.
  package let value: String

  private init(_ name: String, _ value: String = "") {
    (self.name, self.value) = (name, value)
  }

  /// The operation as it is typed after `--do`.
  package var text: String { value.isEmpty ? name : "\(name) \(value)" }

  /// All operations, in the order of the help.
  package static let all = [
    EditExample("clear"), EditExample("cut"), EditExample("copy", "to=5|1"),
    EditExample("merge", "to=5|1"), EditExample("move", "+1/4"), EditExample("insert-time", "4/4"),
    EditExample("delete-time"), EditExample("transpose", "2"), EditExample("scale-time", "2"),
    EditExample("quantise", "1/16"), EditExample("velocity", "90%"), EditExample("tempo", "120bpm"),
    EditExample("program", "violin"), EditExample("volume", "80"),
    EditExample("delete-track", "track=2"), EditExample("unroll"), EditExample("split"),
    EditExample("join"), EditExample("reverse"), EditExample("retime", "120bpm"),
    EditExample("format", "0"),
  ]

  /// The names of all operations, for error messages.
  static let names = all.map(\.name).joined(separator: ", ")
}
