/*
 * The change of the nodes without a stop: attempts of clients that have the previous nodes, both sets, or the present
 * nodes. holdfast.als has the rules of one set. Here, no node loses its data, and releases are not lost.
 */
module change

open util/ordering[Token] as order

/** A proposed token. Clocks may be wrong, so any attempt may propose any token. The first one means "none". */
sig Token {}

abstract sig Node {
  var key: lone Attempt,
  /** The greatest accepted token. */
  var fence: one Token
}
sig Previous, Present extends Node {}

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

enum Rule {
  /** A client of both sets relies on a majority of each. */
  MajorityOfEach,
  /** Clients that have only one of the sets do not run beside clients that have only the other one. */
  NotBeside,
  /** Between a lease of one set alone and one of the other set alone, the lock is granted to a client of both. */
  ThroughBoth
}

/** The rules that are switched off. */
one sig Config { off: set Rule }

/** The nodes that take part in the current step. */
one sig Step { var nodes: set Node }

pred on[r: Rule] { r not in Config.off }

fun nodesOf[a: Attempt]: set Node { a in Old implies Previous else a in New implies Present else Node }
/** The attempts of clients of the other set alone. */
fun others[a: Attempt]: set Attempt { a in Old implies New else a in New implies Old else none }

pred majority[ns: set Node, whole: set Node] { #(ns & whole) > div[#whole, 2] }

pred decides[a: Attempt, ns: set Node] {
  a in Old implies majority[ns, Previous]
  a in New implies majority[ns, Present]
  a in Both implies (on[MajorityOfEach]
    implies majority[ns, Previous] and majority[ns, Present]
    else majority[ns, Node])
}

fact tokens { all a: Attempt | a.token != order/first }

pred init { no key and no yes and no earlier and no Begun and no Granted and no Over and Node.fence = order/first }

pred unchangedNodes { key' = key and fence' = fence }

/** A client asks for the lock. */
pred begin[a: Attempt] {
  a not in Begun
  on[NotBeside] implies others[a] & Begun in Over
  on[ThroughBoth] implies all b: others[a] & Granted | some c: Both & Granted | b in c.earlier
  Begun' = Begun + a
  earlier' = earlier + a->Granted
  unchangedNodes and yes' = yes and Granted' = Granted and Over' = Over
}

/** Some nodes grant the lock. */
pred accept[a: Attempt, ns: set Node] {
  a in Begun - Over and some ns and ns in nodesOf[a]
  all n: ns | no n.key and order/gt[a.token, n.fence]
  key' = key + ns->a
  fence' = fence ++ ns->a.token
  yes' = yes + a->ns
  earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
}

/** The client has its majorities. */
pred grant[a: Attempt] {
  a in Begun - Granted - Over and decides[a, a.yes]
  Granted' = Granted + a
  unchangedNodes and yes' = yes and earlier' = earlier and Begun' = Begun and Over' = Over
}

/** The client releases the lock, or loses it, or gives up. */
pred end[a: Attempt] {
  a in Begun - Over
  Over' = Over + a
  unchangedNodes and yes' = yes and earlier' = earlier and Begun' = Begun and Granted' = Granted
}

/** Some nodes delete the lock, which was released or has expired. */
pred delete[a: Attempt, ns: set Node] {
  a not in Granted - Over and some ns and ns in key.a
  key' = key - ns->a
  yes' = yes - a->ns
  fence' = fence and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
}

pred nothing {
  unchangedNodes and yes' = yes and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
}

fact behaviour {
  init
  always (nothing or some a: Attempt |
    begin[a] or accept[a, Step.nodes] or grant[a] or end[a] or delete[a, Step.nodes])
}

/** At most one attempt relies on the lock. */
pred exclusion { lone Granted - Over }
/** A lease's token is greater than that of every lease granted before its attempt began. */
pred tokenOrder { all a: Granted, b: a.earlier | order/gt[a.token, b.token] }

/* The promises are kept: from one node to three and back, and from three to three others. */

oneAndThree: check { no Config.off implies always (exclusion and tokenOrder) } for exactly 1 Previous, exactly 3 Present, 4 Node, 4 Attempt, 5 Token, 12..12 steps expect 0
threeAndThree: check { no Config.off implies always (exclusion and tokenOrder) } for exactly 3 Previous, exactly 3 Present, 6 Node, 3 Attempt, 4 Token, 12..12 steps expect 0

/* The model is not vacuous: the lock is granted to a client of the previous nodes, of both, and of the present ones. */

change: run {
  no Config.off
  some a: Old, b: Both, c: New | eventually (a in Granted and b in Granted and c in Granted)
} for exactly 1 Previous, exactly 3 Present, 4 Node, exactly 3 Attempt, 4 Token, 14..14 steps expect 1

/* Without one rule, a promise is broken. */

withoutMajorityOfEach: run { Config.off = MajorityOfEach and eventually not exclusion } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 4 Token, 10..10 steps expect 1
withoutNotBeside: run { Config.off = NotBeside and eventually not exclusion } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 4 Token, 10..10 steps expect 1
withoutThroughBoth: run { Config.off = ThroughBoth and eventually not tokenOrder } for exactly 1 Previous, exactly 3 Present, 4 Node, 3 Attempt, 4 Token, 10..10 steps expect 1
