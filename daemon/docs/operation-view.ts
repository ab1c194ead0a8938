import { nameOf, resolved, type Document, type Operation, type Parameter, type Response } from './document.ts';
import { html, inline, type Html } from './html.ts';
import { fieldsOf, rulesOf, typeOf } from './schema-view.ts';

export interface Place {
  method: string;
  path: string;
}

/** One operation: what it takes and answers on the left, what that looks like on the right. */
export function operationView(document: Document, { method, path }: Place, operation: Operation): Html {
  const { operationId: id, summary, description } = operation;
  const parameters = operation.parameters.map((parameter) => briefly(resolved<Parameter>(document, parameter, 'parameters'), '$ref' in parameter));
  const responses = Object.entries(operation.responses);
  return html`
<article class="operation" id="${id}" data-search="${searchText(operation, path)}">
  <h3><a class="anchor" href="#${id}">${summary}</a>${operation['x-scope'] && html`<span class="scope" title="The scope that a key needs">${operation['x-scope']}</span>`}</h3>
  <p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
  <div class="columns">
    <div class="details">
      <p>${inline(description)}</p>
      ${parameters.length > 0 && html`<h4>Parameters</h4><table class="fields"><tbody>${parameters.map(parameterRow)}</tbody></table>`}
      ${operation.requestBody && html`<h4>Body${operation.requestBody.required ? '' : ' (optional)'}</h4>${fieldsOf(bodySchema(document, operation))}`}
      <h4>Answers</h4>
      <table class="answers"><tbody>${responses.map(([status, response]) => answerRow(status, resolved<Response>(document, response, 'responses')))}</tbody></table>
    </div>
    <div class="examples">${requestExample({ method, path }, operation, parameters)}${answerExamples(document, operation)}</div>
  </div>
</article>`;
}

/** What many operations share is explained at the top of the page. */
const briefly = (parameter: Parameter, isShared: boolean): Parameter => (isShared ? { ...parameter, description: `${parameter.description?.split(/[:.] /)[0]}.` } : parameter);

const searchText = ({ operationId, summary, description, 'x-scope': scope = '' }: Operation, path: string): string => `${operationId} ${summary} ${path} ${scope} ${description}`.toLowerCase();

function bodySchema(document: Document, { requestBody }: Operation) {
  const { schema } = Object.values(requestBody!.content)[0];
  return schema.$ref ? document.components.schemas[nameOf(schema.$ref)] : schema;
}

const parameterRow = ({ name, in: where, required, description, schema }: Parameter): Html =>
  html`<tr><th scope="row">${name}${required && html`<span class="required" title="required">*</span>`}<span class="where">${where}</span></th><td><span class="type">${typeOf(schema)}</span> ${rulesOf(schema)}${description && html`<div>${inline(description)}</div>`}</td></tr>`;

function answerRow(status: string, { description, content }: Response): Html {
  const media = content && Object.entries(content)[0];
  return html`<tr class="${status.startsWith('2') ? 'success' : 'failure'}"><th scope="row">${status}</th><td>${inline(description)} ${media && html`<span class="type">${media[0] === 'application/json' ? typeOf(media[1].schema) : media[0]}</span>`}</td></tr>`;
}

function requestExample({ method, path }: Place, { requestBody, security }: Operation, parameters: Parameter[]): Html {
  const example = requestBody && Object.values(requestBody.content)[0].example;
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$MILKRUN_URL${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`,
    ...(security?.length === 0 ? [] : [`-H "Authorization: Bearer $MILKRUN_TOKEN"`]),
    ...(parameters.some((parameter) => parameter.name === 'Idempotency-Key') ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(example === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(example, null, 2).replaceAll("'", `'\\''`)}'`]),
  ];
  return html`<figure><figcaption>Request</figcaption><pre><code>${lines.join(' \\\n  ')}</code></pre></figure>`;
}

function answerExamples(document: Document, { responses }: Operation): Html[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const media = Object.values(resolved<Response>(document, response, 'responses').content ?? {})[0];
    return media?.example === undefined ? [] : [html`<figure><figcaption>${status}</figcaption><pre><code>${JSON.stringify(media.example, null, 2)}</code></pre></figure>`];
  });
}

/** What an endpoint of a webhook is sent. */
export function eventView(document: Document, type: string, operation: Operation): Html {
  return html`
<article class="operation" id="${operation.operationId}" data-search="${searchText(operation, 'event webhook')}">
  <h3><a class="anchor" href="#${operation.operationId}">${type}</a></h3>
  <div class="columns"><div class="details">${fieldsOf(bodySchema(document, operation))}</div></div>
</article>`;
}
