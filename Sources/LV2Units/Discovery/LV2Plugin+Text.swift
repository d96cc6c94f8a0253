// SPDX-License-Identifier: Apache-2.0
internal import JSONText

extension LV2Plugin {
  /// The description as one line of JSON, which `init(text:)` can read.
  public var text: String { json.description }

  /// Creates a description from a line that `text` returned; nil if the line is invalid.
  public init?(text: String) {
    let value: JSONValue
    do { value = try JSONReader.read(Array(text.utf8)) } catch { return nil }
    guard value["v"]?.wholeNumber == 1, let uri = value["uri"]?.string,
      let name = value["name"]?.string, let bundle = value.fileName("bundle"),
      let library = value.fileName("library"), let list = value["ports"]?.elements
    else { return nil }
    let ports = list.compactMap { LV2Port($0) }
    guard ports.count == list.count else { return nil }
    self.init(
      uri: uri, name: name, author: value["author"]?.string, category: value["category"]?.string,
      bundle: bundle, library: library, ports: ports,
      requiredFeatures: value["features"]?.elements?.compactMap(\.string) ?? [],
      refusal: value["refusal"].flatMap { LV2Refusal($0) },
      hasWorker: value["hasWorker"]?.isTrue ?? false,
      restoresWhileRunning: value["restoresWhileRunning"]?.isTrue ?? false,
      wantsDefaultState: value["wantsDefaultState"]?.isTrue ?? false)
  }

  private var json: JSONValue {
    .object([
      ("v", 1), ("uri", .text(uri)), ("name", .text(name)),
      ("author", author.map { .text($0) } ?? .null),
      ("category", category.map { .text($0) } ?? .null), ("bundle", .path(bundle)),
      ("library", .path(library)), ("features", .array(requiredFeatures.map { .text($0) })),
      ("refusal", refusal?.json ?? .null), ("hasWorker", .bool(hasWorker)),
      ("restoresWhileRunning", .bool(restoresWhileRunning)),
      ("wantsDefaultState", .bool(wantsDefaultState)), ("ports", .array(ports.map(\.json))),
    ])
  }
}

extension LV2Refusal {
  fileprivate var json: JSONValue {
    switch self {
    case .feature(let uri): .array(["feature", .text(uri)])
    case .option(let uri): .array(["option", .text(uri)])
    case .port(let symbol, let type): .array(["port", .text(symbol), .text(type)])
    case .noSound: .array(["noSound"])
    case .incomplete: .array(["incomplete"])
    case .fails(let reason): .array(["fails", .text(reason)])
    case .crashes(let how): .array(["crashes", .text(how)])
    }
  }

  fileprivate init?(_ value: JSONValue) {
    guard let words = value.elements?.compactMap(\.string) else { return nil }
    switch (words.first, words.count) {
    case ("feature", 2): self = .feature(words[1])
    case ("option", 2): self = .option(words[1])
    case ("port", 3): self = .port(symbol: words[1], type: words[2])
    case ("noSound", 1): self = .noSound
    case ("fails", 2): self = .fails(reason: words[1])
    case ("crashes", 2): self = .crashes(how: words[1])
    default: self = .incomplete
    }
  }
}

extension LV2Port {
  fileprivate var json: JSONValue {
    let flags = [
      ("input", isInput), ("optional", isOptional), ("midi", takesMIDI),
      ("position", takesPosition), ("latency", reportsLatency), ("timesRate", isTimesRate),
      ("integer", isInteger), ("toggle", isToggle), ("enumeration", isEnumeration),
      ("logarithmic", isLogarithmic),
    ]
    return .object([
      ("index", .integer(index)), ("symbol", .text(symbol)), ("name", .text(name)),
      ("kind", .text(kind.word)), ("unit", unit.map { .text($0) } ?? .null),
      ("least", .decimal("\(range.lowerBound)")), ("most", .decimal("\(range.upperBound)")),
      ("initial", .decimal("\(initialValue)")),
      ("is", .array(flags.filter(\.1).map { .text($0.0) })),
      (
        "points",
        .array(
          scalePoints.map { .array([.text($0.label), .decimal("\($0.value)")]) })
      ),
    ])
  }

  fileprivate init?(_ value: JSONValue) {
    guard let index = value["index"]?.wholeNumber, (0..<65_536).contains(index),
      let symbol = value["symbol"]?.string, let name = value["name"]?.string,
      let word = value["kind"]?.string, let least = Self.number(value["least"]),
      let most = Self.number(value["most"]), least <= most,
      let initial = Self.number(value["initial"]), (least...most).contains(initial)
    else { return nil }
    let flags = Set(value["is"]?.elements?.compactMap(\.string) ?? [])
    self.init(
      index: Int(index), symbol: symbol, name: name, isInput: flags.contains("input"),
      kind: Kind(word: word), isOptional: flags.contains("optional"),
      takesMIDI: flags.contains("midi"), takesPosition: flags.contains("position"),
      reportsLatency: flags.contains("latency"), unit: value["unit"]?.string, range: least...most,
      initialValue: initial, isTimesRate: flags.contains("timesRate"),
      isInteger: flags.contains("integer"), isToggle: flags.contains("toggle"),
      isEnumeration: flags.contains("enumeration"), isLogarithmic: flags.contains("logarithmic"),
      scalePoints: value["points"]?.elements?.compactMap(Self.point) ?? [])
  }

  private static func number(_ value: JSONValue?) -> Float? {
    guard let number = value?.scalarText.flatMap({ Float($0) }), number.isFinite else { return nil }
    return number
  }

  private static func point(_ value: JSONValue) -> ScalePoint? {
    guard let pair = value.elements, pair.count == 2, let label = pair[0].string,
      let number = number(pair[1])
    else { return nil }
    return ScalePoint(label: label, value: number)
  }
}

extension LV2Port.Kind {
  fileprivate var word: String {
    switch self {
    case .audio: "audio"
    case .control: "control"
    case .events: "events"
    case .other(let type): "other " + type
    }
  }

  fileprivate init(word: String) {
    switch word {
    case "audio": self = .audio
    case "control": self = .control
    case "events": self = .events
    default: self = .other(String(word.drop { $0 != " " }.dropFirst()))
    }
  }
}
