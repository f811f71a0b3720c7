/*
 * The change of the nodes without a stop: attempts of clients that have the previous nodes, both sets, or the present
 * nodes, at any time, and administrators who decide which of them the nodes accept. holdfast.als has the rules of one
 * set. Here, no node loses its data, and releases are not lost.
 */
module change

open util/ordering[Token] as order

/** A proposed token. Clocks may be wrong, so any attempt may propose any token. The first one means "none". */
sig Token {}

abstract sig Node {
  var key: lone Attempt,
  /** The greatest accepted token. */
  var fence: one Token,
  /** The administrator who has changed last which clients the node accepts. */
  var mark: lone Administrator
}
sig Previous, Present extends Node {}

/** The nodes that accept only clients of both sets. */
var sig Closed in Node {}

abstract sig Attempt {
  token: one Token,
  /** Nodes whose grant counts. */
  var yes: set Node,
  /** Attempts that had been granted when this one began. */
  var earlier: set Attempt
}
/** The attempts of clients that have the previous nodes, both sets, and the present nodes. */
sig Old, Both, New extends Attempt {}

var sig Begun, Granted, Over in Attempt {}

abstract sig Administrator {
  /** The marks that the nodes had when it began. */
  var read: Node -> Administrator,
  /** The nodes that it has closed, and those of them that it has seen without a lease of a client of the set alone. */
  var shut, clean: set Node,
  /** The greatest token that these have accepted. */
  var top: one Token
}
/** Administrators who open the present nodes to clients of them alone, or, on the way back, the previous ones. */
sig Forward, Back extends Administrator {}

var sig Working in Administrator {}

enum Rule {
  /** A client of both sets relies on a majority of each. */
  MajorityOfEach,
  /** A closed node refuses clients that have its set alone. */
  ClosedRefuse,
  /** A set is opened once a majority of the other one is closed, */
  ClosedMajority,
  /** and has no lease of a client of it alone, */
  NoneLeft,
  /** with fences above all that the other one has accepted, */
  RaisedFences,
  /** by an administrator whose marks no other one has replaced. */
  Marks
}

/** The rules that are switched off. */
one sig Config { off: set Rule }

/** The nodes that take part in the current step. */
one sig Step { var nodes: set Node }

pred on[r: Rule] { r not in Config.off }

fun nodesOf[a: Attempt]: set Node { a in Old implies Previous else a in New implies Present else Node }
fun closes[a: Administrator]: set Node { a in Forward implies Previous else Present }
fun opens[a: Administrator]: set Node { Node - closes[a] }

pred majority[ns: set Node, whole: set Node] { #(ns & whole) > div[#whole, 2] }

pred decides[a: Attempt, ns: set Node] {
  a in Old implies majority[ns, Previous]
  a in New implies majority[ns, Present]
  a in Both implies (on[MajorityOfEach]
    implies majority[ns, Previous] and majority[ns, Present]
    else majority[ns, Node])
}

fact tokens { all a: Attempt | a.token != order/first }

/** The present nodes are closed before their first client starts. */
pred init {
  no key and no yes and no earlier and no Begun and no Granted and no Over and Node.fence = order/first
  Closed = Present and no mark and no read and no shut and no clean and no Working and Administrator.top = order/first
}

pred unchangedNodes { key' = key and fence' = fence }
pred unchangedAttempts { yes' = yes and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over }
pred unchangedMarks { Closed' = Closed and mark' = mark }
pred unchangedWork { read' = read and shut' = shut and clean' = clean and top' = top and Working' = Working }
pred unchangedChange { unchangedMarks and unchangedWork }

/** A client asks for the lock. */
pred begin[a: Attempt] {
  a not in Begun
  Begun' = Begun + a
  earlier' = earlier + a->Granted
  unchangedNodes and yes' = yes and Granted' = Granted and Over' = Over and unchangedChange
}

/** Some nodes grant the lock. */
pred accept[a: Attempt, ns: set Node] {
  a in Begun - Over and some ns and ns in nodesOf[a]
  on[ClosedRefuse] and a not in Both implies no ns & Closed
  all n: ns | no n.key and order/gt[a.token, n.fence]
  key' = key + ns->a
  fence' = fence ++ ns->a.token
  yes' = yes + a->ns
  earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over and unchangedChange
}

/** The client has its majorities. */
pred grant[a: Attempt] {
  a in Begun - Granted - Over and decides[a, a.yes]
  Granted' = Granted + a
  unchangedNodes and yes' = yes and earlier' = earlier and Begun' = Begun and Over' = Over and unchangedChange
}

/** The client releases the lock, or loses it, or gives up. */
pred end[a: Attempt] {
  a in Begun - Over
  Over' = Over + a
  unchangedNodes and yes' = yes and earlier' = earlier and Begun' = Begun and Granted' = Granted and unchangedChange
}

/** Some nodes delete the lock, which was released or has expired. */
pred delete[a: Attempt, ns: set Node] {
  a not in Granted - Over and some ns and ns in key.a
  key' = key - ns->a
  yes' = yes - a->ns
  fence' = fence and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
  unchangedChange
}

/** An administrator reads the marks. */
pred start[a: Administrator] {
  a not in Working
  Working' = Working + a
  read' = read + a->mark
  unchangedNodes and unchangedAttempts and unchangedMarks and shut' = shut and clean' = clean and top' = top
}

pred mayWrite[a: Administrator, ns: set Node] {
  a in Working and some ns
  on[Marks] implies all n: ns | n.mark = n.(a.read)
}

/** Some nodes accept only clients of both sets from now on. */
pred close[a: Administrator, ns: set Node] {
  mayWrite[a, ns] and ns in closes[a] - a.shut
  Closed' = Closed + ns
  mark' = mark ++ ns->a
  shut' = shut + a->ns
  unchangedNodes and unchangedAttempts and read' = read and clean' = clean and top' = top and Working' = Working
}

/** The administrator sees that some closed nodes have no lease of a client of their set alone. */
pred verify[a: Administrator, ns: set Node] {
  some ns and ns in a.shut
  on[ClosedMajority] implies majority[a.shut, closes[a]]
  on[NoneLeft] implies ns.key in Both
  clean' = clean + a->ns
  some t: Token | t in a.top + ns.fence and (all s: a.top + ns.fence | order/gte[t, s]) and top' = top ++ a->t
  unchangedNodes and unchangedAttempts and unchangedMarks and read' = read and shut' = shut and Working' = Working
}

/** Some nodes accept clients of their set alone from now on. */
pred reopen[a: Administrator, ns: set Node] {
  mayWrite[a, ns] and ns in opens[a]
  some a.clean
  on[ClosedMajority] implies majority[a.clean, closes[a]]
  Closed' = Closed - ns
  mark' = mark ++ ns->a
  key' = key
  on[RaisedFences]
    implies fence' = fence ++ {n: ns, t: Token | t in n.fence + a.top and all s: n.fence + a.top | order/gte[t, s]}
    else fence' = fence
  unchangedAttempts and unchangedWork
}

pred nothing { unchangedNodes and unchangedAttempts and unchangedChange }

fact behaviour {
  init
  always (nothing
    or (some a: Attempt |
      begin[a] or accept[a, Step.nodes] or grant[a] or end[a] or delete[a, Step.nodes])
    or (some a: Administrator |
      start[a] or close[a, Step.nodes] or verify[a, Step.nodes] or reopen[a, Step.nodes]))
}

/** At most one attempt relies on the lock. */
pred exclusion { lone Granted - Over }
/** A lease's token is greater than that of every lease granted before its attempt began. */
pred tokenOrder { all a: Granted, b: a.earlier | order/gt[a.token, b.token] }

/* The promises are kept: from one node to three, and with two administrators of opposite intent. */

oneAndThree: check { no Config.off implies always (exclusion and tokenOrder) } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 1 Administrator, 4 Token, 14..14 steps expect 0
threeAndThree: check { no Config.off implies always (exclusion and tokenOrder) } for exactly 3 Previous, exactly 3 Present, 6 Node, 2 Attempt, 1 Administrator, 3 Token, 12..12 steps expect 0
twoAdministrators: check { no Config.off implies always (exclusion and tokenOrder) } for exactly 1 Previous, exactly 1 Present, 2 Node, 2 Attempt, 2 Administrator, 3 Token, 16..16 steps expect 0

/* The model is not vacuous: the lock is granted to a client of the previous nodes, of both, and of the present ones. */

change: run {
  no Config.off
  some a: Old, b: Both, c: New | eventually (a in Granted and b in Granted and c in Granted)
} for exactly 1 Previous, exactly 3 Present, 4 Node, exactly 3 Attempt, 1 Administrator, 4 Token, 18..18 steps expect 1

/* Without one rule, a promise is broken. */

withoutMajorityOfEach: run { Config.off = MajorityOfEach and eventually not exclusion } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 1 Administrator, 4 Token, 10..10 steps expect 1
withoutClosedRefuse: run { Config.off = ClosedRefuse and eventually not exclusion } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 1 Administrator, 4 Token, 12..12 steps expect 1
withoutClosedMajority: run { Config.off = ClosedMajority and eventually not exclusion } for exactly 3 Previous, exactly 1 Present, 4 Node, 2 Attempt, 1 Administrator, 3 Token, 12..12 steps expect 1
withoutNoneLeft: run { Config.off = NoneLeft and eventually not exclusion } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 1 Administrator, 4 Token, 12..12 steps expect 1
withoutRaisedFences: run { Config.off = RaisedFences and eventually not tokenOrder } for exactly 1 Previous, exactly 1 Present, 2 Node, 2 Attempt, 1 Administrator, 3 Token, 14..14 steps expect 1
withoutMarks: run { Config.off = Marks and eventually not exclusion } for exactly 1 Previous, exactly 1 Present, 2 Node, 2 Attempt, 2 Administrator, 3 Token, 16..16 steps expect 1
